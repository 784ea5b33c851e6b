export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** Where a document finds the schemas it refers to; undefined for a name that nobody defines. */
export type SchemaSource = (definition: string) => OpenApiSchema | undefined;

/**
 * The schemas that `paths` refer to, directly or not, by name. A reference is `prefix` and a name, as the version of
 * OpenAPI writes it.
 */
export function reachableSchemas(paths: object, prefix: string, schemaOf: SchemaSource): Record<string, OpenApiSchema> {
  const found = new Map<string, OpenApiSchema>();
  const pending: unknown[] = [paths];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref' && typeof value === 'string' && value.startsWith(prefix)) {
        const name = value.slice(prefix.length);
        const schema = found.has(name) ? undefined : schemaOf(name);
        if (schema !== undefined) {
          found.set(name, schema);
          pending.push(schema);
        }
      } else if (typeof value === 'object') pending.push(value);
    }
  }
  return Object.fromEntries([...found].sort(([left], [right]) => (left < right ? -1 : 1)));
}
