/**
 * Prepares an object that leaves the cache: freezes it deeply and sets the prototype of its class. This happens once, at the
 * first access; a frozen object is already prepared. Objects that are never read cost nothing.
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

/** Not recursive, because the author of an object decides how deep it is nested. */
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
