// Made by "evenkeel generate" from the classes of the API: change those, not this.

/** The fields that Manager.run(operator, { fields }) expects in the CRDs of its cluster. */
export const fields: Readonly<Record<string, readonly string[]>> = {
  'greetings.hello.example.com/v1': [
    'spec.frame(width)',
    'spec.language',
    'spec.name',
    'status.conditions(lastTransitionTime,message,observedGeneration,reason,status,type)',
  ],
};
