export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** Returns the schema of a name; undefined if it is not defined. */
export type SchemaSource = (definition: string) => OpenApiSchema | undefined;

/**
 * Returns the schemas, by name, to which `paths` refer directly or indirectly. A reference is `prefix` and a name, as
 * in the version of OpenAPI.
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
