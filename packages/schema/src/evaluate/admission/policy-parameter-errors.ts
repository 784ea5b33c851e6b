import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from '@evenkeel/kinds';
import {
  dns1035LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  notSupported,
  pathSegmentErrors,
  required,
  validateLabelSelector,
} from '../apimachinery.ts';

export type ParamKind = NonNullable<NonNullable<MutatingAdmissionPolicy['spec']>['paramKind']>;
export type ParamRef = NonNullable<NonNullable<MutatingAdmissionPolicyBinding['spec']>['paramRef']>;

/** Source: `validateParamKind` of `pkg/apis/admissionregistration/validation/validation.go`. */
export function paramKindErrors({ apiVersion = '', kind = '' }: ParamKind, path: string): FieldError[] {
  const errors = apiVersion === '' ? [required(`${path}.apiVersion`)] : versionErrors(apiVersion, `${path}.apiVersion`);
  const wrong = dns1035LabelErrors(kind.toLowerCase());
  if (kind === '') errors.push(required(`${path}.kind`));
  else if (wrong.length > 0) {
    const detail = `may have mixed case, but should otherwise match: ${wrong.join(',')}`;
    errors.push(invalid(`${path}.kind`, kind, detail));
  }
  return errors;
}

function versionErrors(apiVersion: string, path: string): FieldError[] {
  const parts = apiVersion === '/' ? [''] : apiVersion.split('/');
  if (parts.length > 2) return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const [version = '', group = ''] = parts.reverse();
  const errors: FieldError[] = [];
  const inGroup = group === '' ? [] : dns1123SubdomainErrors(group);
  if (inGroup.length > 0) errors.push(invalid(path, group, inGroup.join(',')));
  const inVersion = dns1035LabelErrors(version);
  if (version === '') errors.push(invalid(path, apiVersion, 'version must be specified'));
  else if (inVersion.length > 0) errors.push(invalid(path, version, inVersion.join(',')));
  return errors;
}

/** Source: `validateParamRef` of the same file. */
export function paramRefErrors(
  { name = '', selector, parameterNotFoundAction = '' }: ParamRef,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const exclusive = 'name and selector are mutually exclusive';
  if (name !== '') {
    errors.push(...invalidBy(pathSegmentErrors, `${path}.name`, name));
    if (selector !== undefined) errors.push(forbidden(`${path}.name`, exclusive));
  }
  if (selector !== undefined) {
    errors.push(...validateLabelSelector(selector, `${path}.selector`));
    if (name !== '') errors.push(forbidden(`${path}.selector`, exclusive));
  }
  if (name === '' && selector === undefined) errors.push(required(path, 'one of name or selector must be specified'));
  const actions = ['Deny', 'Allow'];
  const at = `${path}.parameterNotFoundAction`;
  if (parameterNotFoundAction === '') errors.push(required(at));
  else if (!actions.includes(parameterNotFoundAction)) errors.push(notSupported(at, parameterNotFoundAction, actions));
  return errors;
}
