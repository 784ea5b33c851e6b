import { apiVersionOf, didYouMean, EvenkeelError, resourceOf } from '@evenkeel/core';

/**
 * Returns the name of the class of a built-in kind, such as `apps/v1/Deployment`. Throws `invalid-option` for kinds that are not
 * built in.
 */
export async function builtInKind(reference: string): Promise<string> {
  const names = new Map<string, string>();
  for (const [name, value] of Object.entries(await import('@evenkeel/kinds'))) {
    if (typeof value !== 'function') continue;
    const resource = resourceIn(value as never);
    if (resource !== undefined) names.set(`${apiVersionOf(resource)}/${resource.kind}`, name);
  }
  const name = names.get(reference);
  if (name !== undefined) return name;
  const kind = reference.split('/').at(-1)?.toLowerCase();
  const similar = [...names.keys()].find((each) => each.split('/').at(-1)?.toLowerCase() === kind);
  const fix = similar === undefined ? didYouMean(reference, [...names.keys()]) : `; did you mean ${similar}?`;
  throw new EvenkeelError(
    'invalid-option',
    `--for ${reference}: not a built-in kind that evenkeel exports${fix || '; for a kind of another operator, declare its class first, and pass its name'}`,
  );
}

function resourceIn(value: Parameters<typeof resourceOf>[0]): ReturnType<typeof resourceOf> | undefined {
  try {
    return resourceOf(value);
  } catch {
    return undefined;
  }
}
