import type { IngressClass } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  notSupported,
  pathSegmentErrors,
  required,
  tooLong,
} from '../../apimachinery/index.ts';
import { validateImmutable } from '../number-validation.ts';

type Parameters = NonNullable<NonNullable<IngressClass['spec']>['parameters']>;

const controllerMax = 250;
const scopes = ['Cluster', 'Namespace'];
const httpPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;
const httpPathText = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";

/** Source: `ValidateIngressClass`, `pkg/apis/networking/validation/validation.go`. */
export function validateIngressClass({ spec = {} }: IngressClass): FieldError[] {
  const { controller = '', parameters } = spec;
  return [
    ...(controller.length > controllerMax ? [tooLong('spec.controller', controllerMax)] : []),
    ...validateDomainPrefixedPath(controller, 'spec.controller'),
    ...(parameters === undefined ? [] : validateParameters(parameters, 'spec.parameters')),
  ];
}

/** Source: `ValidateIngressClassUpdate`. */
export function validateIngressClassUpdate(object: IngressClass, old: IngressClass): readonly FieldError[] {
  return [
    ...validateImmutable(object.spec?.controller ?? '', old.spec?.controller ?? '', 'spec.controller'),
    ...validateIngressClass(object),
  ];
}

/** Source: `IsDomainPrefixedPath`, apimachinery `pkg/util/validation`. */
function validateDomainPrefixedPath(text: string, path: string): FieldError[] {
  if (text === '') return [required(path)];
  const slash = text.indexOf('/');
  const host = text.slice(0, Math.max(slash, 0));
  const rest = text.slice(slash + 1);
  if (host === '' || rest === '') {
    return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const errors = invalidBy(dns1123SubdomainErrors, path, host);
  return httpPath.test(rest) ? errors : [...errors, invalid(path, rest, httpPathText)];
}

function validateParameters({ apiGroup, kind, name, scope, namespace }: Parameters, path: string): FieldError[] {
  const errors = apiGroup === undefined ? [] : invalidBy(dns1123SubdomainErrors, `${path}.apiGroup`, apiGroup);
  for (const [field, text] of Object.entries({ kind, name })) {
    errors.push(...(text ? invalidBy(pathSegmentErrors, `${path}.${field}`, text) : [required(`${path}.${field}`)]));
  }
  if (scope === undefined) return [...errors, required(`${path}.scope`)];
  if (!scopes.includes(scope)) return [...errors, notSupported(`${path}.scope`, scope, scopes)];
  const at = `${path}.namespace`;
  if (scope === 'Cluster') {
    return namespace === undefined ? errors : [...errors, forbidden(at, "`parameters.scope` is set to 'Cluster'")];
  }
  if (namespace === undefined) return [...errors, required(at, "`parameters.scope` is set to 'Namespace'")];
  return [...errors, ...invalidBy(dns1123LabelErrors, at, namespace)];
}
