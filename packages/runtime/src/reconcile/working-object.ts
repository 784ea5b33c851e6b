import { copyJson, isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError, frozenPropertyOf, type KindClass, type KubernetesObject } from '@evenkeel/core';

/** The object that is passed to a run, and the status before the run. */
export interface WorkingObject<T extends KubernetesObject> {
  readonly object: T;
  readonly observedStatus: JsonObject;
  /** The status after the run. */
  status(): JsonObject;
}

/**
 * Returns the object for one run. Everything is frozen and shared with the cache, except `status`: it is a copy, and always an
 * object if the kind has a status.
 */
export function workingObject<T extends KubernetesObject>(
  kind: KindClass<T>,
  cached: T,
  hasStatus: boolean,
): WorkingObject<T> {
  const observed: unknown = 'status' in cached ? cached.status : undefined;
  const observedStatus = isJsonObject(observed) ? observed : {};
  const object = Object.create(kind.prototype) as T;
  for (const [key, value] of Object.entries(cached)) {
    if (key !== 'status' || !hasStatus) Object.defineProperty(object, key, { value, enumerable: true });
  }
  if (hasStatus) {
    Object.defineProperty(object, 'status', {
      value: copyJson(observedStatus),
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return {
    object,
    observedStatus,
    status: () => {
      const status: unknown = 'status' in object ? object.status : undefined;
      return isJsonObject(status) ? status : {};
    },
  };
}

/** Returns the part of the object that a failed write was for. Undefined if the error is not a write to a frozen object. */
function frozenPart(error: unknown, object: KubernetesObject): { part: string; property: string } | undefined {
  const property = frozenPropertyOf(error);
  if (property === undefined) return undefined;
  // V8's message does not name the object that has the property.
  const inSpec = property === 'spec' || ('spec' in object && holds(object.spec, property));
  const inMetadata = metadataFields.has(property) || holds(object.metadata, property);
  if (inSpec === inMetadata) return { part: 'spec or metadata', property };
  return { part: inSpec ? 'spec' : 'metadata', property };
}

/** Fields of the metadata, which the object may not have yet. */
const metadataFields = new Set(['metadata', 'labels', 'annotations', 'finalizers', 'ownerReferences']);

function holds(value: unknown, property: string): boolean {
  if (Array.isArray(value)) return value.some((item) => holds(item, property));
  if (!isJsonObject(value)) return false;
  return Object.hasOwn(value, property) || Object.values(value).some((item) => holds(item, property));
}

/** Returns `frozen-object` with the fix if the error comes from a write to frozen parts of `object`, otherwise the error. */
export function explainFrozenWrite(error: unknown, object: KubernetesObject): unknown {
  const frozen = frozenPart(error, object);
  if (frozen === undefined) return error;
  const { namespace, name } = object.metadata;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  return new EvenkeelError(
    'frozen-object',
    `cannot change ${frozen.part} of ${object.kind} ${key} ("${frozen.property}"): it is frozen because it is shared with the cache; change a copy, or use context.apply()`,
    { cause: error },
  );
}
