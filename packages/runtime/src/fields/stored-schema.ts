import { fieldsOfEveryObject } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';

/** The part of a structural schema that decides which fields the API server stores. */
export interface StoredSchema {
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, StoredSchema>>;
  readonly additionalProperties?: boolean | StoredSchema;
  readonly items?: StoredSchema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
}

const open: StoredSchema = { 'x-kubernetes-preserve-unknown-fields': true };

/** The schema of a version. A version without one allows everything. */
export function schemaOf({ schema }: CustomResourceDefinition['spec']['versions'][number]): StoredSchema {
  return (schema?.openAPIV3Schema as StoredSchema | undefined) ?? open;
}

/**
 * The fields that a schema allows and another does not, without the fields in them: `spec.ports[*].name`, `spec.labels.*`. If
 * it is empty, the API server drops nothing of a value of the first schema that it stores with the second.
 */
export function fieldsOnlyIn(from: StoredSchema, to: StoredSchema): string[] {
  return onlyIn(from, to, '');
}

function onlyIn(from: StoredSchema, to: StoredSchema, path: string): string[] {
  const others = to['x-kubernetes-preserve-unknown-fields'] === true ? true : (to.additionalProperties ?? false);
  const below = (schema: StoredSchema | true, other: StoredSchema | boolean, at: string): string[] => {
    if (other === true) return [];
    if (other === false) return [at];
    return onlyIn(schema === true ? open : schema, other, at);
  };
  const known = to.properties ?? {};
  const named = Object.entries(from.properties ?? {})
    .filter(([name]) => path !== '' || !fieldsOfEveryObject.has(name))
    .flatMap(([name, schema]) =>
      below(
        schema,
        Object.hasOwn(known, name) ? (known[name] ?? false) : others,
        path === '' ? name : `${path}.${name}`,
      ),
    );
  const isOpen = from['x-kubernetes-preserve-unknown-fields'] === true || from.additionalProperties === true;
  const isEmbedded = from['x-kubernetes-embedded-resource'] === true && !to['x-kubernetes-embedded-resource'];
  const unnamed = typeof from.additionalProperties === 'object' ? from.additionalProperties : isOpen || isEmbedded;
  return [
    ...named,
    ...(unnamed === false ? [] : below(unnamed, others, path === '' ? '*' : `${path}.*`)),
    ...(from.items === undefined ? [] : below(from.items, to.items ?? false, `${path}[*]`)),
  ];
}
