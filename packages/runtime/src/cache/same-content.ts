/**
 * Reports whether two objects are equal as JSON. Prototypes and the order of members do not matter. Not recursive, because the
 * author of an object decides how deep it is nested.
 */
export function isSameContent(left: object, right: object): boolean {
  const pending: (readonly [object, object])[] = [[left, right]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [one, other] = pair as readonly [Record<string, unknown>, Record<string, unknown>];
    const names = Object.keys(one);
    if (Array.isArray(one) !== Array.isArray(other) || names.length !== Object.keys(other).length) return false;
    for (const name of names) {
      if (!Object.hasOwn(other, name)) return false;
      const [here, there] = [one[name], other[name]];
      if (isObject(here) && isObject(there)) pending.push([here, there]);
      else if (here !== there) return false;
    }
  }
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
