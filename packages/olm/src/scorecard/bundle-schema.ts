import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { parseApiVersion } from '@evenkeel/core';
import { currentForm } from '../bundle/beta-definition.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { objectAt, objectsAt } from '../capability/specified-fields.ts';

/** A version of a CRD in a bundle. */
export interface BundleSchema {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
  /** Undefined if the version has no schema. */
  readonly schema: JsonObject | undefined;
}

/** The versions of all CRDs of a bundle. */
export function schemasIn({ objects }: Bundle): BundleSchema[] {
  return objects
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map(currentForm)
    .flatMap((definition) => {
      const spec = objectAt(definition, 'spec');
      return objectsAt(spec, 'versions').map((version) => {
        const schema = valueAt(objectAt(version, 'schema'), 'openAPIV3Schema');
        return {
          group: String(valueAt(spec, 'group')),
          kind: String(valueAt(objectAt(spec, 'names'), 'kind')),
          version: String(valueAt(version, 'name')),
          schema: isJsonObject(schema) ? schema : undefined,
        };
      });
    });
}

/** The version of a CRD that an example belongs to; undefined if the bundle has none. */
export function schemaFor(example: JsonObject, schemas: readonly BundleSchema[]): BundleSchema | undefined {
  const { group, version } = parseApiVersion(String(valueAt(example, 'apiVersion')));
  const kind = valueAt(example, 'kind');
  return schemas.find((each) => each.group === group && each.kind === kind && each.version === version);
}

/** The paths of the fields of a value that its schema does not have, so that the API server removes them. */
export function unknownFields(value: unknown, schema: JsonObject, path: string): string[] {
  if (Array.isArray(value)) {
    const items = objectAt(schema, 'items');
    return value.flatMap((item, index) => unknownFields(item, items, `${path}[${index}]`));
  }
  if (!isJsonObject(value) || isOpen(schema)) return [];
  const properties = objectAt(schema, 'properties');
  const others = valueAt(schema, 'additionalProperties');
  return Object.entries(value).flatMap(([key, field]) => {
    const at = `${path}.${key}`;
    const known = valueAt(properties, key);
    if (isJsonObject(known)) return unknownFields(field, known, at);
    if (isJsonObject(others)) return unknownFields(field, others, at);
    return others === true ? [] : [at];
  });
}

/** Whether a schema has a field at a path, as descriptors write it: `pod.resources`, `members[0].name`. */
export function hasField(schema: JsonObject, path: string): boolean {
  let at = schema;
  for (const step of path.split(/[.[\]]+/).filter((part) => part !== '')) {
    if (isOpen(at)) return true;
    const others = valueAt(at, 'additionalProperties');
    const next =
      /^\d+$/.test(step) && valueAt(at, 'items') !== undefined
        ? valueAt(at, 'items')
        : valueAt(objectAt(at, 'properties'), step);
    if (isJsonObject(next)) at = next;
    else if (isJsonObject(others)) at = others;
    else return others === true;
  }
  return true;
}

function isOpen(schema: JsonObject): boolean {
  return (
    valueAt(schema, 'x-kubernetes-preserve-unknown-fields') === true ||
    valueAt(schema, 'x-kubernetes-embedded-resource') === true
  );
}
