import type { IngressClass } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  forbidden,
  invalidBy,
  notSupported,
  pathSegmentErrors,
  required,
  tooLong,
} from '../../apimachinery/index.ts';
import { validateDomainPrefixedPath } from '../domain-prefixed-path.ts';
import { validateImmutable } from '../number-validation.ts';

type Parameters = NonNullable<NonNullable<IngressClass['spec']>['parameters']>;

const controllerMax = 250;
const scopes = ['Cluster', 'Namespace'];

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
