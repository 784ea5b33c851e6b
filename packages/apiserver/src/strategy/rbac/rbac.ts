import type { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from '@evenkeel/kinds';
import { nameRule, pathSegmentErrors } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';
import {
  validateClusterRole,
  validateClusterRoleBinding,
  validateRole,
  validateRoleBinding,
  validateRoleReferenceUpdate,
} from './rbac-validation.ts';

const group = 'rbac.authorization.k8s.io';

const common = {
  generation: 'never',
  allowCreateOnUpdate: true,
  validateName: nameRule(pathSegmentErrors),
} as const;

/** Go stores an empty list as null. */
const withRules = { ...common, prepareForCreate: emptyRules, prepareForUpdate: emptyRules } as const;

/** Sources: `pkg/apis/rbac/v1/defaults.go`, `pkg/registry/rbac/*\/strategy.go`. */
export const roleStrategy = defineStrategy<Role>({
  ...withRules,
  validate: validateRole,
  validateUpdate: validateRole,
});
export const clusterRoleStrategy = defineStrategy<ClusterRole>({
  ...withRules,
  validate: validateClusterRole,
  validateUpdate: validateClusterRole,
});
export const roleBindingStrategy = defineStrategy<RoleBinding>({
  ...common,
  default: defaultBinding,
  validate: validateRoleBinding,
  validateUpdate: (object, old) => [...validateRoleBinding(object), ...validateRoleReferenceUpdate(object, old)],
});
export const clusterRoleBindingStrategy = defineStrategy<ClusterRoleBinding>({
  ...common,
  default: defaultBinding,
  validate: validateClusterRoleBinding,
  validateUpdate: (object, old) => [...validateClusterRoleBinding(object), ...validateRoleReferenceUpdate(object, old)],
});

function emptyRules(role: Role | ClusterRole): void {
  if (role.rules?.length === 0) role.rules = null as never;
}

function defaultBinding({ roleRef, subjects }: RoleBinding | ClusterRoleBinding): void {
  if (roleRef !== undefined) roleRef.apiGroup ||= group;
  for (const subject of subjects ?? []) {
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= group;
  }
}
