import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A schema in OpenAPI v2 and v3, as far as Kubernetes uses it. */
export interface OpenApiSchema {
  $ref?: string;
  allOf?: OpenApiSchema[];
  oneOf?: OpenApiSchema[];
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, OpenApiSchema>;
  items?: OpenApiSchema;
  additionalProperties?: OpenApiSchema;
  /** Not of OpenAPI: Go omits the property if it is zero. */
  'x-go-omitempty'?: boolean;
  'x-kubernetes-group-version-kind'?: GroupVersionKind[];
}

export interface GroupVersionKind {
  group: string;
  version: string;
  kind: string;
}

interface OpenApiParameter {
  name: string;
  in: string;
  schema: { type: string };
}

interface OpenApiOperation {
  'x-kubernetes-action'?: string;
  responses: Record<string, { content?: Record<string, { schema: OpenApiSchema }> }>;
}

/** A path of a v3 document: its operations by method, and their shared parameters. */
export type OpenApiPath = { parameters?: OpenApiParameter[] } & Record<string, OpenApiOperation>;

export interface OpenApiV3Document {
  paths: Record<string, OpenApiPath>;
  components: { schemas: Record<string, OpenApiSchema> };
}

export interface RecordedResource {
  resource: string;
  responseKind: GroupVersionKind;
  scope: 'Namespaced' | 'Cluster';
  singularResource: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  subresources?: { subresource: string; responseKind: GroupVersionKind; verbs: string[] }[];
}

export interface RecordedGroup {
  metadata: { name?: string };
  versions: { version: string; resources: RecordedResource[] }[];
}

/** The recordings of a real server from a folder. */
export interface Recordings {
  /** The core group, then the others in the server's order. */
  readonly groups: readonly RecordedGroup[];
  /** Every path of every v3 document. */
  readonly paths: ReadonlyMap<string, OpenApiPath>;
  /** Every definition, sorted by name, from v3; from v2 if only v2 has it. */
  readonly definitions: ReadonlyMap<string, OpenApiSchema>;
}

/**
 * Reads `aggregated-api.json`, `aggregated-apis.json`, `openapi-v2.json` and `openapi-v3/*.json`.
 *
 * A v3 document lists, for definitions of every group (DeleteOptions, WatchEvent), only the group versions of that
 * document. v2 lists all of them, so this reads the list from v2.
 */
export function readRecordings(folder: string): Recordings {
  const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));
  const groups = ['aggregated-api.json', 'aggregated-apis.json'].flatMap(
    (file) => (json(file) as { items: RecordedGroup[] }).items,
  );
  const documents = readdirSync(join(folder, 'openapi-v3'))
    .filter((file) => file !== 'index.json')
    .sort()
    .map((file) => json('openapi-v3', file) as OpenApiV3Document);

  const v2 = (json('openapi-v2.json') as { definitions: Record<string, OpenApiSchema> }).definitions;
  const merged = new Map(Object.entries(v2));
  for (const document of documents) {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      const kinds = v2[name]?.['x-kubernetes-group-version-kind'];
      merged.set(name, kinds === undefined ? schema : { ...schema, 'x-kubernetes-group-version-kind': kinds });
    }
  }
  return {
    groups,
    paths: new Map(documents.flatMap((document) => Object.entries(document.paths))),
    definitions: new Map([...merged].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
