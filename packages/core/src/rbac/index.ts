export { type PlannedRbac, planRbac, type RbacMistake, type RuleTarget } from '../decorators/rbac.ts';
export { deriveRoles, type OperatorOptions } from './derive-roles.ts';
export {
  declaredKindNames,
  decoratorFor,
  describeAccess,
  isOwnerRefused,
  type KindNames,
  mendOfRefusal,
  refusedAccess,
} from './missing-rule.ts';
export { type OperatorIdentity, type RbacManifest, rbacManifests } from './rbac-manifests.ts';
export {
  type Access,
  combinedResource,
  type PathAccess,
  type PathRule,
  type RbacRole,
  type RbacRule,
  type ResourceAccess,
  type ResourceRule,
  roleAllows,
  ruleAllows,
} from './rbac-role.ts';
