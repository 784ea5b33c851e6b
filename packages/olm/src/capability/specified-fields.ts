import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';

/** A version of a kind, with the schema of its objects. */
export interface SchemaVersion {
  readonly kind: string;
  readonly version: string;
  /** Undefined if the version has no schema. */
  readonly schema: JsonObject | undefined;
  readonly hasStatusSubresource: boolean;
}

/** Returns the versions that a CRD serves. */
export function servedVersions(definition: JsonObject): SchemaVersion[] {
  const spec = objectAt(definition, 'spec');
  const versions = valueAt(spec, 'versions');
  return (Array.isArray(versions) ? versions : [])
    .filter(isJsonObject)
    .filter((version) => valueAt(version, 'served') === true)
    .map((version) => {
      const schema = valueAt(objectAt(version, 'schema'), 'openAPIV3Schema');
      return {
        kind: String(valueAt(objectAt(spec, 'names'), 'kind')),
        version: String(valueAt(version, 'name')),
        schema: isJsonObject(schema) ? schema : undefined,
        hasStatusSubresource: isJsonObject(valueAt(objectAt(version, 'subresources'), 'status')),
      };
    });
}

/** The fields of the spec or the status of a version, with their schemas. */
export function fieldsOf(
  { schema }: SchemaVersion,
  part: 'spec' | 'status',
): readonly (readonly [string, JsonObject])[] {
  const properties = objectAt(objectAt(objectAt(schema, 'properties'), part), 'properties');
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}

/** The descriptions of fields. */
export interface FieldDescriptions {
  /** The paths of fields without a description. */
  readonly missing: readonly string[];
  /**
   * The described fields below which nothing has a description. Their types may be Kubernetes' own, whose fields the project cannot
   * describe.
   */
  readonly opaque: readonly string[];
}

/** Finds the fields of a schema, at any depth, that have no description. */
export function describedBy(fields: readonly (readonly [string, JsonObject])[], path: string): FieldDescriptions {
  const found = fields.map(([name, schema]): FieldDescriptions => {
    const at = `${path}.${name}`;
    const isDescribed = Boolean(valueAt(schema, 'description'));
    const item = objectAt(schema, 'items');
    const properties = { ...objectAt(schema, 'properties'), ...objectAt(item, 'properties') };
    const below = Object.entries(properties).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
    const isOpaque = below.length > 0 && below.every(([, each]) => !valueAt(each, 'description'));
    if (isDescribed && isOpaque) return { missing: [], opaque: [at] };
    const { missing, opaque } = describedBy(below, at);
    return { missing: isDescribed ? missing : [at, ...missing], opaque };
  });
  return { missing: found.flatMap(({ missing }) => missing), opaque: found.flatMap(({ opaque }) => opaque) };
}

/** The object at a key; empty if there is none. */
export function objectAt(object: JsonObject | undefined, key: string): JsonObject {
  const value = object === undefined ? undefined : valueAt(object, key);
  return isJsonObject(value) ? value : {};
}

/** The list at a key without what is no object; empty if there is none. */
export function objectsAt(object: JsonObject | undefined, key: string): JsonObject[] {
  const value = object === undefined ? undefined : valueAt(object, key);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
