import type { PolicyRule } from '@evenkeel/apimachinery/rbac';
import { policyRuleOf, type RbacRole } from './rbac-role.ts';

/** Who an operator is in its cluster. */
export interface OperatorIdentity {
  /** Roles and bindings are called so, or begin with it. */
  readonly name: string;
  /** Where it runs, and its ServiceAccount is. */
  readonly namespace: string;
  readonly serviceAccount: string;
}

/** An object to be created, and for a role why each of its rules is there. */
export interface RbacManifest {
  /** Of a role and of its binding; undefined for the ServiceAccount. */
  readonly part: RbacRole['part'] | undefined;
  readonly object: {
    readonly apiVersion: string;
    readonly kind: 'ServiceAccount' | 'ClusterRole' | 'Role' | 'ClusterRoleBinding' | 'RoleBinding';
    readonly metadata: { readonly name: string; readonly namespace?: string };
    readonly rules?: readonly PolicyRule[];
    readonly roleRef?: { readonly apiGroup: string; readonly kind: string; readonly name: string };
    readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace: string }[];
  };
  /** As many as the object has rules. */
  readonly reasons: readonly (readonly string[])[];
}

const group = 'rbac.authorization.k8s.io';

/** A ServiceAccount, and for each role that and its binding, in this order. */
export function rbacManifests(roles: readonly RbacRole[], identity: OperatorIdentity): RbacManifest[] {
  const { namespace, serviceAccount } = identity;
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: serviceAccount, namespace } } as const;
  return [{ part: undefined, object: account, reasons: [] }, ...roles.flatMap((role) => roleManifests(role, identity))];
}

function roleManifests({ part, namespace, rules }: RbacRole, identity: OperatorIdentity): RbacManifest[] {
  const name = part === 'operator' ? identity.name : `${identity.name}-${part}`;
  const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const apiVersion = `${group}/v1`;
  return [
    {
      part,
      object: { apiVersion, kind, metadata, rules: rules.map(policyRuleOf) },
      reasons: rules.map(({ reasons }) => reasons),
    },
    {
      part,
      object: {
        apiVersion,
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: group, kind, name },
        subjects: [{ kind: 'ServiceAccount', name: identity.serviceAccount, namespace: identity.namespace }],
      },
      reasons: [],
    },
  ];
}
