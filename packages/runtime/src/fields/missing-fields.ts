import type { ApiResource, FieldTree } from '@evenkeel/core';

type Schema = Readonly<Record<string, unknown>>;

/** Only schemas that refer to themselves are deeper than this. */
const deepest = 64;

/**
 * Returns the fields of a kind that an OpenAPI document of its group and version does not have, without the fields below them.
 * Returns undefined if the document does not contain the kind. No field is missing below a schema that keeps unknown fields.
 */
export function missingFields(document: unknown, resource: ApiResource, tree: FieldTree): string[] | undefined {
  const schemas = schemasOf(document);
  const root = kindSchema(document, resource);
  if (root === undefined) return undefined;
  const missing: string[] = [];
  collect(root, tree, '', 0);
  return missing;

  function collect(schema: Schema, fields: FieldTree, path: string, depth: number): void {
    if (depth > deepest || fields.size === 0) return;
    const node = elementOf(schema);
    if (node === undefined) return;
    const properties = schemaOf(node, 'properties');
    for (const [name, below] of fields) {
      const at = path === '' ? name : `${path}.${name}`;
      const property = properties === undefined ? undefined : schemaOf(properties, name);
      if (property === undefined) missing.push(at);
      else collect(property, below, at, depth + 1);
    }
  }

  /** Returns the schema with the properties: of the node, or of the elements of its lists and maps. Undefined: any field is allowed. */
  function elementOf(schema: Schema): Schema | undefined {
    let node = schema;
    for (let at = 0; at < deepest; at++) {
      if (node['x-kubernetes-preserve-unknown-fields'] === true) return undefined;
      const { additionalProperties } = node;
      if (additionalProperties === true) return undefined;
      const inner =
        referred(node) ??
        schemaOf(node, 'items') ??
        (isSchema(additionalProperties) ? additionalProperties : undefined);
      if (inner === undefined) return node;
      node = inner;
    }
    return undefined;
  }

  function referred(node: Schema): Schema | undefined {
    const { allOf } = node;
    const [only] = Array.isArray(allOf) ? (allOf as unknown[]) : [];
    const reference = node['$ref'] ?? (isSchema(only) ? only['$ref'] : undefined);
    const [, name] = typeof reference === 'string' ? (/^#\/components\/schemas\/(.+)$/.exec(reference) ?? []) : [];
    return name === undefined || schemas === undefined ? undefined : schemaOf(schemas, name);
  }
}

/** Returns the schema of a kind in an OpenAPI document; undefined if the document does not contain the kind. */
export function kindSchema(document: unknown, { group, version, kind }: ApiResource): Schema | undefined {
  const isKind = (named: unknown): boolean =>
    isSchema(named) && named['group'] === group && named['version'] === version && named['kind'] === kind;
  const root = Object.values(schemasOf(document) ?? {}).find((schema) => {
    const kinds = isSchema(schema) ? schema['x-kubernetes-group-version-kind'] : undefined;
    return Array.isArray(kinds) && kinds.some(isKind);
  });
  return isSchema(root) ? root : undefined;
}

function schemasOf(document: unknown): Schema | undefined {
  const components = schemaOf(document, 'components');
  return components === undefined ? undefined : schemaOf(components, 'schemas');
}

function schemaOf(of: unknown, name: string): Schema | undefined {
  if (!isSchema(of) || !Object.hasOwn(of, name)) return undefined;
  const value = of[name];
  return isSchema(value) ? value : undefined;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
