import type { ApiObject } from '../kind/api-object.ts';
import { bootstrapPolicyJson } from './generated/bootstrap-policy.ts';

interface Policy {
  readonly kind: 'ClusterRole' | 'ClusterRoleBinding' | 'Role' | 'RoleBinding';
  readonly namespace?: string;
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly rules?: unknown;
  readonly aggregationRule?: unknown;
  readonly roleRef?: unknown;
  readonly subjects?: unknown;
}

/**
 * The initial roles and bindings of a Kubernetes 1.36 control plane: `cluster-admin` for `system:masters`, the discovery
 * roles, `view`, `edit` and `admin`, and those of the control plane's components. Returns new objects each time, without
 * the fields that the store sets.
 */
export function bootstrapPolicy(): ApiObject[] {
  return (JSON.parse(bootstrapPolicyJson) as Policy[]).map(({ kind, namespace, name, labels, ...rest }) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    },
    ...rest,
  }));
}
