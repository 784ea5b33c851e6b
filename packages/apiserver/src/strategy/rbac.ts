import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@evenkeel/kinds';
import { defineStrategy } from './define-strategy.ts';
import { nameRule, pathSegmentErrors } from './names.ts';

const group = 'rbac.authorization.k8s.io';

const common = {
  generation: 'never',
  allowCreateOnUpdate: true,
  validateName: nameRule(pathSegmentErrors),
} as const;

/** Sources: `pkg/apis/rbac/v1/defaults.go`, `pkg/registry/rbac/*\/strategy.go`. */
export const roleStrategy = defineStrategy<Role>({ ...common });
export const clusterRoleStrategy = defineStrategy<ClusterRole>({ ...common });
export const roleBindingStrategy = defineStrategy<RoleBinding>({ ...common, default: defaultBinding });
export const clusterRoleBindingStrategy = defineStrategy<ClusterRoleBinding>({ ...common, default: defaultBinding });

function defaultBinding({ roleRef, subjects }: RoleBinding | ClusterRoleBinding): void {
  if (roleRef !== undefined) roleRef.apiGroup ||= group;
  for (const subject of subjects ?? []) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= group;
  }
}
