import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { GeneratedFile } from './generated-file.ts';
import { manifestFile } from './manifest-file.ts';

/** A role for users, and the ClusterRole of Kubernetes that has the same purpose. */
const levels = [
  { level: 'admin', aggregate: 'aggregate-to-admin' },
  { level: 'editor', aggregate: 'aggregate-to-edit' },
  { level: 'viewer', aggregate: 'aggregate-to-view' },
] as const;

type Level = (typeof levels)[number]['level'];

const reads = ['get', 'list', 'watch'];
const writes = ['create', 'update', 'patch', 'delete'];
const verbsOf: Readonly<Record<Level, readonly string[]>> = {
  admin: [...reads, ...writes, 'deletecollection'],
  editor: [...reads, ...writes],
  viewer: reads,
};

/**
 * Returns the file of the ClusterRoles for the users of the kinds. All of them can only read the status, because the operator writes it.
 * They have no bindings.
 *
 * @param isAggregated whether the ClusterRoles `admin`, `edit` and `view` of Kubernetes contain them.
 */
export function userRoles(
  definitions: readonly CustomResourceDefinition[],
  isAggregated: boolean,
): Promise<GeneratedFile[]> {
  const roles = definitions.flatMap(({ spec: { group, names, versions } }) =>
    levels.map(({ level, aggregate }) => {
      const has = (subresource: 'status' | 'scale') =>
        versions.some(({ subresources }) => subresources?.[subresource] !== undefined);
      const rule = (resource: string, verbs: readonly string[]) => ({
        apiGroups: [group],
        resources: [resource],
        verbs,
      });
      const scaled = level === 'viewer' ? ['get'] : ['get', 'update', 'patch'];
      return {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: {
          name: `${names.plural}.${group}-${level}`,
          ...(isAggregated ? { labels: { [`rbac.authorization.k8s.io/${aggregate}`]: 'true' } } : {}),
        },
        rules: [
          rule(names.plural, verbsOf[level]),
          ...(has('status') ? [rule(`${names.plural}/status`, ['get'])] : []),
          ...(has('scale') ? [rule(`${names.plural}/scale`, scaled)] : []),
        ],
      };
    }),
  );
  const kinds = definitions.map(({ spec }) => spec.names.kind).join(', ');
  return manifestFile('rbac/user_roles.yaml', kinds, roles, ['output', 'deployment', 'apis']);
}
