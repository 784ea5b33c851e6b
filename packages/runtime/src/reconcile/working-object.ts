import { copyJson, isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError, type KindClass, type KubernetesObject } from '@evenkeel/core';

/** The object a run is handed, and the status it started from. */
export interface WorkingObject<T extends KubernetesObject> {
  readonly object: T;
  readonly observedStatus: JsonObject;
  /** The status as the run left it. */
  status(): JsonObject;
}

/**
 * An object for one run: everything is shared with the cache and frozen, but `status` is the run's own copy, always an
 * object where the kind has a status.
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

/** V8's words for writing to what is frozen, with the name of the property. */
const frozenWrites = [
  /^Cannot assign to read only property '([^']{1,256})'/,
  /^Cannot add property ([^,]{1,256}), object is not extensible/,
  /^Cannot delete property '([^']{1,256})'/,
];

/** The part of an object that a failed write meant, where it can be told; undefined for an error that is none. */
function frozenPart(error: unknown, object: KubernetesObject): { part: string; property: string } | undefined {
  if (!(error instanceof TypeError)) return undefined;
  const property = frozenWrites.map((pattern) => pattern.exec(error.message)?.[1]).find((name) => name !== undefined);
  if (property === undefined) return undefined;
  // V8 does not tell of which object it is the property.
  const inSpec = property === 'spec' || ('spec' in object && holds(object.spec, property));
  const inMetadata = metadataFields.has(property) || holds(object.metadata, property);
  if (inSpec === inMetadata) return { part: 'spec or metadata', property };
  return { part: inSpec ? 'spec' : 'metadata', property };
}

/** Also where the object has none yet. */
const metadataFields = new Set(['metadata', 'labels', 'annotations', 'finalizers', 'ownerReferences']);

function holds(value: unknown, property: string): boolean {
  if (Array.isArray(value)) return value.some((item) => holds(item, property));
  if (!isJsonObject(value)) return false;
  return Object.hasOwn(value, property) || Object.values(value).some((item) => holds(item, property));
}

/** The error as it is, or, where it comes of writing to the frozen parts of `object`, one that says what to do. */
export function explainFrozenWrite(error: unknown, object: KubernetesObject): unknown {
  const frozen = frozenPart(error, object);
  if (frozen === undefined) return error;
  const { namespace, name } = object.metadata;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  return new EvenkeelError(
    'frozen-object',
    `Cannot change ${frozen.part} of ${object.kind} ${key} ("${frozen.property}"): copy it, or use apply()`,
    { cause: error },
  );
}
