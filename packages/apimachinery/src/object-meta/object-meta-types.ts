import { jsonKindOf } from '../go-format/go-format.ts';
import { isInt64, isJsonObject } from '../json/json-value.ts';

type FieldType = 'string' | 'int64' | 'time' | 'texts' | 'textList' | 'list';

/** The fields of metav1.ObjectMeta (k8s.io/apimachinery pkg/apis/meta/v1/types.go). */
export const objectMetaFields: ReadonlyMap<string, FieldType> = new Map([
  ['name', 'string'],
  ['generateName', 'string'],
  ['namespace', 'string'],
  ['selfLink', 'string'],
  ['uid', 'string'],
  ['resourceVersion', 'string'],
  ['generation', 'int64'],
  ['creationTimestamp', 'time'],
  ['deletionTimestamp', 'time'],
  ['deletionGracePeriodSeconds', 'int64'],
  ['labels', 'texts'],
  ['annotations', 'texts'],
  ['ownerReferences', 'list'],
  ['finalizers', 'textList'],
  ['managedFields', 'list'],
]);

/** Why JSON is no metadata of an object, in the words of Go's decoder; undefined where it is. */
export function objectMetaMismatch(metadata: unknown): string | undefined {
  if (!isJsonObject(metadata))
    return `json: cannot unmarshal ${jsonKindOf(metadata)} into Go value of type v1.ObjectMeta`;
  for (const [name, type] of objectMetaFields) {
    const mismatch = Object.hasOwn(metadata, name) ? mismatchOf(metadata[name], type) : undefined;
    if (mismatch === undefined) continue;
    const [value, wanted] = mismatch;
    return `json: cannot unmarshal ${jsonKindOf(value)} into Go struct field ObjectMeta.${name} of type ${wanted}`;
  }
  return undefined;
}

/** The value that is of another type, and Go's name of the type. */
function mismatchOf(value: unknown, type: FieldType): readonly [value: unknown, wanted: string] | undefined {
  if (value === null) return undefined;
  switch (type) {
    case 'int64':
      return isInt64(value) ? undefined : [value, 'int64'];
    case 'texts': {
      if (!isJsonObject(value)) return [value, 'map[string]string'];
      const odd = Object.values(value).find((text) => typeof text !== 'string' && text !== null);
      return odd === undefined ? undefined : [odd, 'string'];
    }
    case 'textList': {
      if (!Array.isArray(value)) return [value, '[]string'];
      const odd: unknown = value.find((text) => typeof text !== 'string' && text !== null);
      return odd === undefined ? undefined : [odd, 'string'];
    }
    case 'list':
      return Array.isArray(value) ? undefined : [value, '[]v1.OwnerReference'];
    default:
      return typeof value === 'string' ? undefined : [value, 'string'];
  }
}
