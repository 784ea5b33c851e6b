// Made by "evenkeel generate" from the classes of the API: change those, not this.

/** The fields that Manager.run(operator, { fields }) expects in the CRDs of its cluster. */
export const fields: Readonly<Record<string, readonly string[]>> = {
  'nginxes.web.example.com/v1alpha1': [
    'spec.image',
    'spec.pageConfigMap',
    'spec.port',
    'spec.replicaCount',
    'status.address',
    'status.conditions(lastTransitionTime,message,observedGeneration,reason,status,type)',
    'status.readyReplicas',
    'status.selector',
  ],
};
