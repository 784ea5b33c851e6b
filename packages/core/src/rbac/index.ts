export { type Access, combinedResource, type PathAccess, type ResourceAccess } from '@evenkeel/apimachinery/rbac';
export { type PlannedRbac, planRbac, type RbacMistake, type RuleTarget } from '../decorators/rbac.ts';
export { deriveRoles, type OperatorOptions } from './derive-roles.ts';
export {
  declaredKindNames,
  decoratorFor,
  describeAccess,
  fixOfRejection,
  isOwnerRejected,
  type KindNames,
  rejectedAccess,
} from './missing-rule.ts';
export { type OperatorIdentity, type RbacManifest, rbacManifests } from './rbac-manifests.ts';
export {
  type PathRule,
  policyRuleOf,
  type RbacRole,
  type RbacRule,
  type ResourceRule,
  roleAllows,
} from './rbac-role.ts';
