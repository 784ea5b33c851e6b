import { type FieldTree, type KindFields, writeFieldTree } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';

/** The fields of every version of some CRDs, except those that every object has and those below an open schema. */
export function definitionFields(definitions: readonly CustomResourceDefinition[]): KindFields {
  const fields = new Map<string, readonly string[]>();
  for (const { spec } of definitions) {
    for (const { name, schema } of spec.versions) {
      const root = schema?.openAPIV3Schema as StructuralSchema | undefined;
      if (root === undefined) continue;
      fields.set(`${spec.names.plural}.${spec.group}/${name}`, writeFieldTree(treeOf(root, true)));
    }
  }
  return Object.fromEntries([...fields].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** The module that an operator imports for `Manager.run(operator, { fields })`. It is always the same for the same CRDs. */
export function definitionFieldsModule(definitions: readonly CustomResourceDefinition[]): string {
  const kinds = Object.entries(definitionFields(definitions)).map(
    ([kind, lines]) => `  ${quoted(kind)}: [\n${lines.map((line) => `    ${quoted(line)},\n`).join('')}  ],\n`,
  );
  return `// Made by "evenkeel generate" from the classes of the API: change those, not this.

/** The fields that Manager.run(operator, { fields }) expects in the CRDs of its cluster. */
export const fields: Readonly<Record<string, readonly string[]>> = {
${kinds.join('')}};
`;
}

/** A string literal as formatters with single quotes write it. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** `isObject`: the node is a whole object, whose type and metadata the server defines. */
function treeOf(schema: StructuralSchema, isObject: boolean): FieldTree {
  const { properties = {}, items, additionalProperties } = schema;
  if (items !== undefined) return treeOf(items, isEmbedded(items));
  if (typeof additionalProperties === 'object') return treeOf(additionalProperties, isEmbedded(additionalProperties));
  return new Map(
    Object.entries(properties)
      .filter(([name]) => !isObject || !ofEveryObject.has(name))
      .map(([name, below]) => [name, treeOf(below, isEmbedded(below))]),
  );
}

const ofEveryObject: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function isEmbedded(schema: StructuralSchema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}
