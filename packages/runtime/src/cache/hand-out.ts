/**
 * What leaves the cache: the object itself, deep-frozen and with the prototype of its class. Done once, when it is first
 * handed out; being frozen is how it is remembered. Objects nobody asks for cost nothing.
 */
export function handOut<T extends object>(object: T, prototype: object | undefined): T {
  if (isHandedOut(object)) return object;
  if (prototype !== undefined) Object.setPrototypeOf(object, prototype);
  freezeDeeply(object);
  return object;
}

export function isHandedOut(object: object): boolean {
  return Object.isFrozen(object);
}

/** Without recursion: how deep an object nests is the choice of whoever wrote it. */
function freezeDeeply(root: object): void {
  const pending: object[] = [root];
  for (let object = pending.pop(); object !== undefined; object = pending.pop()) {
    Object.freeze(object);
    for (const key in object) {
      const value: unknown = (object as Record<string, unknown>)[key];
      if (typeof value === 'object' && value !== null) pending.push(value);
    }
  }
}
