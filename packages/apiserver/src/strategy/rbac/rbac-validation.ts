import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, Subject } from '@evenkeel/kinds';
import {
  dns1123SubdomainErrors,
  type FieldError,
  GoStruct,
  invalid,
  invalidBy,
  jsonEqual,
  notSupported,
  pathSegmentErrors,
  required,
  validateLabelSelector,
} from '../../apimachinery/index.ts';

const group = 'rbac.authorization.k8s.io';

/** Source: `pkg/apis/rbac/validation/validation.go`; the errors in its order. */
export function validateRole({ rules }: Role): readonly FieldError[] {
  return (rules ?? []).flatMap((rule, index) => validateRule(rule, true, `rules[${index}]`));
}

export function validateClusterRole({ rules, aggregationRule }: ClusterRole): readonly FieldError[] {
  const errors = (rules ?? []).flatMap((rule, index) => validateRule(rule, false, `rules[${index}]`));
  if (aggregationRule === undefined) return errors;
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0) {
    errors.push(required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  }
  return [...errors, ...selectors.flatMap((selector, index) => validateLabelSelector(selector, `${path}[${index}]`))];
}

export function validateRoleBinding(object: RoleBinding): FieldError[] {
  return validateBinding(object, true);
}

export function validateClusterRoleBinding(object: ClusterRoleBinding): FieldError[] {
  return validateBinding(object, false);
}

/** A binding is bound to its role for good: who could change it could hand out what others may do. */
export function validateRoleReferenceUpdate<T extends RoleBinding | ClusterRoleBinding>(
  object: T,
  old: T,
): FieldError[] {
  if (jsonEqual(object.roleRef, old.roleRef)) return [];
  const { apiGroup, kind, name } = object.roleRef ?? { apiGroup: '', kind: '', name: '' };
  // The value is printed as Go's internal type has it.
  const value = new GoStruct({ APIGroup: apiGroup, Kind: kind, Name: name });
  return [invalid('roleRef', value, 'cannot change roleRef')];
}

function validateBinding({ roleRef, subjects }: RoleBinding | ClusterRoleBinding, namespaced: boolean): FieldError[] {
  const { apiGroup = '', kind = '', name = '' } = roleRef ?? {};
  const errors: FieldError[] = [];
  if (apiGroup !== group) errors.push(notSupported('roleRef.apiGroup', apiGroup, [group]));
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds));
  if (name === '') errors.push(required('roleRef.name'));
  else errors.push(...invalidBy(pathSegmentErrors, 'roleRef.name', name));
  for (const [index, subject] of (subjects ?? []).entries()) {
    errors.push(...validateSubject(subject, namespaced, `subjects[${index}]`));
  }
  return errors;
}

function validateRule(rule: PolicyRule, namespaced: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if ((rule.verbs ?? []).length === 0) {
    errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
  }
  const urls = rule.nonResourceURLs ?? [];
  const groups = rule.apiGroups ?? [];
  const resources = rule.resources ?? [];
  if (urls.length > 0) {
    const at = `${path}.nonResourceURLs`;
    if (namespaced) errors.push(invalid(at, urls, 'namespaced rules cannot apply to non-resource URLs'));
    if (groups.length > 0 || resources.length > 0 || (rule.resourceNames ?? []).length > 0) {
      errors.push(invalid(at, urls, 'rules cannot apply to both regular resources and non-resource URLs'));
    }
    return errors;
  }
  if (groups.length === 0) {
    errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (resources.length === 0) {
    errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}

function validateSubject(subject: Subject, namespaced: boolean, path: string): FieldError[] {
  const { kind = '', name = '', apiGroup = '', namespace = '' } = subject;
  const errors: FieldError[] = name === '' ? [required(`${path}.name`)] : [];
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') errors.push(...invalidBy(dns1123SubdomainErrors, `${path}.name`, name));
      if (apiGroup !== '') errors.push(notSupported(`${path}.apiGroup`, apiGroup, ['']));
      if (!namespaced && namespace === '') errors.push(required(`${path}.namespace`));
      break;
    case 'User':
    case 'Group':
      if (apiGroup !== group) errors.push(notSupported(`${path}.apiGroup`, apiGroup, [group]));
      break;
    default:
      errors.push(notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  }
  return errors;
}
