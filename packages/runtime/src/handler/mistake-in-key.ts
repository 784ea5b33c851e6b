import { type ApiResource, groupResourceOf, ObjectKey } from '@evenkeel/core';

/**
 * Returns why a value from the user's code cannot be the key of an object; undefined if it is valid. An invalid key would be
 * enqueued, not found in the cache, and treated as a deleted object.
 */
export function mistakeInKey(value: unknown, resource: ApiResource): string | undefined {
  if (!(value instanceof ObjectKey)) {
    const found = value instanceof Promise ? 'a promise' : value === null ? 'null' : `a value of type ${typeof value}`;
    const fix = `new ObjectKey(${resource.namespaced ? 'name, namespace' : 'name'})`;
    return `${found} instead of an ObjectKey; write ${fix}, or ObjectKey.of(object)`;
  }
  const { name, namespace } = value as { readonly name: unknown; readonly namespace: unknown };
  if (!isSegment(name)) return `an ObjectKey whose name is ${inText(name)}`;
  if (namespace !== undefined && !isSegment(namespace)) return `an ObjectKey whose namespace is ${inText(namespace)}`;
  if ((namespace !== undefined) === resource.namespaced) return undefined;
  return resource.namespaced
    ? `the ObjectKey "${name}" without a namespace, but ${groupResourceOf(resource)} are namespaced; write new ObjectKey(name, namespace)`
    : `the ObjectKey "${String(value)}" with a namespace, but ${groupResourceOf(resource)} are cluster-scoped; write new ObjectKey(name)`;
}

/** Reports whether a value can be a segment of a path. Names of objects have at most 253 characters. */
function isSegment(text: unknown): text is string {
  return (
    typeof text === 'string' && text.length > 0 && text.length <= 253 && !/[/%]/.test(text) && !/^\.\.?$/.test(text)
  );
}

function inText(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 64)) : String(value);
}
