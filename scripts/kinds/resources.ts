import { createHash } from 'node:crypto';
import type { Definition } from './definitions.ts';
import { banner, literal } from './output.ts';
import type { OpenApiPath, Recordings } from './recordings.ts';

export interface BuiltinGroup {
  name: string;
  versions: { version: string; resources: BuiltinResource[] }[];
}

export interface BuiltinResource {
  resource: string;
  singular: string;
  kind: string;
  listKind?: string;
  namespaced: boolean;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
  storageVersionHash?: string;
  returnsDeletedObject?: true;
  definition: string;
  subresources?: BuiltinSubresource[];
}

interface BuiltinSubresource {
  subresource: string;
  group?: string;
  version?: string;
  kind: string;
  verbs: string[];
  definition?: string;
  connect?: true;
  queryParameters?: Record<string, string>;
}

/**
 * Resources that a 1.36.3 server stores in another group version than the requested one. The recordings do not contain
 * this; it was derived from the storage version hashes in the server's legacy discovery.
 */
const storedAs = new Map([
  ['events.k8s.io/v1/Event', '/v1/Event'],
  ['autoscaling/v1/HorizontalPodAutoscaler', 'autoscaling/v2/HorizontalPodAutoscaler'],
  [
    'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy',
    'admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy',
  ],
  [
    'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding',
    'admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicyBinding',
  ],
  ['apiextensions.k8s.io/v1/CustomResourceDefinition', 'apiextensions.k8s.io/v1beta1/CustomResourceDefinition'],
]);

/** Returns every group, version and resource in the server's order. */
export function builtinGroups(recordings: Recordings, definitions: ReadonlyMap<string, Definition>): BuiltinGroup[] {
  const definitionOf = new Map<string, string>();
  for (const [name, definition] of definitions) {
    const [kind, ...others] = definition['x-kubernetes-group-version-kind'] ?? [];
    if (kind !== undefined && others.length === 0) definitionOf.set(`${kind.group}/${kind.version}/${kind.kind}`, name);
  }
  return recordings.groups.map((group) => {
    const name = group.metadata.name ?? '';
    return {
      name,
      versions: group.versions.map(({ version, resources }) => ({
        version,
        resources: resources.map((recorded): BuiltinResource => {
          const kind = recorded.responseKind.kind;
          const gvk = `${name}/${version}/${kind}`;
          const definition = definitionOf.get(gvk);
          if (definition === undefined) throw new Error(`no definition is of kind ${gvk}`);
          const namespaced = recorded.scope === 'Namespaced';
          const base = name === '' ? `/api/${version}` : `/apis/${name}/${version}`;
          const path = `${base}/${namespaced ? 'namespaces/{namespace}/' : ''}${recorded.resource}/{name}`;
          const listed = recorded.verbs.includes('list');
          if (listed && !definitionOf.has(`${gvk}List`)) throw new Error(`no definition is of kind ${gvk}List`);
          return {
            resource: recorded.resource,
            singular: recorded.singularResource,
            kind,
            ...(listed && { listKind: `${kind}List` }),
            namespaced,
            verbs: recorded.verbs,
            ...(recorded.shortNames && { shortNames: recorded.shortNames }),
            ...(recorded.categories && { categories: recorded.categories }),
            // Only stored resources have a storage version and can be watched.
            ...(recorded.verbs.includes('watch') && {
              storageVersionHash: storageVersionHash(storedAs.get(gvk) ?? gvk),
            }),
            ...(returnsDeletedObject(recordings.paths.get(path), definition) && {
              returnsDeletedObject: true as const,
            }),
            definition,
            ...(recorded.subresources && {
              subresources: recorded.subresources.map(({ subresource, responseKind, verbs }): BuiltinSubresource => {
                const { group: ownGroup, version: ownVersion, kind: subresourceKind } = responseKind;
                const elsewhere = ownVersion !== '';
                const subresourceDefinition = definitionOf.get(
                  elsewhere ? `${ownGroup}/${ownVersion}/${subresourceKind}` : `${name}/${version}/${subresourceKind}`,
                );
                return {
                  subresource,
                  ...(elsewhere && { group: ownGroup, version: ownVersion }),
                  kind: subresourceKind,
                  verbs,
                  ...(subresourceDefinition !== undefined && { definition: subresourceDefinition }),
                  ...options(recordings.paths.get(`${path}/${subresource}`)),
                };
              }),
            }),
          };
        }),
      })),
    };
  });
}

// After StorageVersionHash in k8s.io/apiserver/pkg/endpoints/discovery/storageversionhash.go.
function storageVersionHash(groupVersionKind: string): string {
  return createHash('sha256').update(groupVersionKind).digest().subarray(0, 8).toString('base64');
}

function returnsDeletedObject(path: OpenApiPath | undefined, definition: string): boolean {
  const content = path?.['delete']?.responses['200']?.content ?? {};
  return Object.values(content).some(({ schema }) => schema.$ref?.endsWith(`/${definition}`) === true);
}

function options(path: OpenApiPath | undefined): Pick<BuiltinSubresource, 'connect' | 'queryParameters'> {
  if (path === undefined) return {};
  const own = (path.parameters ?? []).filter((parameter) => parameter.in === 'query' && parameter.name !== 'pretty');
  const connect = path['get']?.['x-kubernetes-action'] === 'connect';
  const queryParameters = Object.fromEntries(own.map(({ name, schema }) => [name, schema.type]));
  // Write operations share their parameters (dryRun, fieldManager) with every resource.
  const isOption = connect || (Object.keys(path).length === 2 && 'get' in path);
  return {
    ...(connect && { connect: true as const }),
    ...(isOption && own.length > 0 && { queryParameters }),
  };
}

export function discoveryModule(groups: readonly BuiltinGroup[]): string {
  const lines = [banner, '', "import type { BuiltinGroup } from '../builtin-group.ts';", ''];
  lines.push('export const builtinGroups: readonly BuiltinGroup[] = [');
  for (const group of groups) {
    lines.push(`  { name: '${group.name}', versions: [`);
    for (const { version, resources } of group.versions) {
      lines.push(`    { version: '${version}', resources: [`);
      for (const { subresources, ...resource } of resources) {
        const own = literal(resource);
        if (subresources === undefined) lines.push(`      ${own},`);
        else {
          lines.push(`      ${own.slice(0, -2)}, subresources: [`);
          for (const subresource of subresources) lines.push(`        ${literal(subresource)},`);
          lines.push('      ] },');
        }
      }
      lines.push('    ] },');
    }
    lines.push('  ] },');
  }
  lines.push('];', '');
  return lines.join('\n');
}
