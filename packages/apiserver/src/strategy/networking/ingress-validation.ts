import { isIP } from 'node:net';
import type { Ingress, IngressBackend, IngressRule } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalid,
  invalidBy,
  notSupported,
  pathSegmentErrors,
  portNameErrors,
  required,
  wildcardSubdomainErrors,
} from '../../apimachinery/index.ts';
import { validatePortNumber } from '../number-validation.ts';

const forbiddenSequences = ['//', '/./', '/../', '%2f', '%2F'];
const forbiddenEndings = ['/..', '/.'];

/** Source: `ValidateIngressCreate`, `pkg/apis/networking/validation/validation.go`; the errors in its order. */
export function validateIngress(object: Ingress): readonly FieldError[] {
  const errors = validateIngressSpec(object);
  const annotation = 'kubernetes.io/ingress.class';
  const annotated = object.metadata.annotations?.[annotation];
  const named = object.spec?.ingressClassName;
  if (annotated !== undefined && named !== undefined && annotated !== named) {
    const detail = 'must match `ingressClassName` when both are specified';
    errors.push(invalid(`annotations.${annotation}`, annotated, detail));
  }
  return errors;
}

export function validateIngressSpec({ spec }: Ingress): FieldError[] {
  const errors: FieldError[] = [];
  const rules = spec?.rules ?? [];
  if (rules.length === 0 && spec?.defaultBackend === undefined) {
    errors.push(invalid('spec', null, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (spec?.defaultBackend !== undefined) errors.push(...validateBackend(spec.defaultBackend, 'spec.defaultBackend'));
  for (const [index, rule] of rules.entries()) errors.push(...validateRule(rule, `spec.rules[${index}]`));
  for (const [index, { hosts, secretName }] of (spec?.tls ?? []).entries()) {
    const at = `spec.tls[${index}]`;
    for (const [position, host] of (hosts ?? []).entries()) {
      errors.push(...validateHost(host, `${at}.hosts[${position}]`));
    }
    if (secretName) errors.push(...invalidBy(dns1123SubdomainErrors, `${at}.secretName`, secretName));
  }
  const className = spec?.ingressClassName;
  if (className !== undefined) {
    errors.push(...invalidBy(dns1123SubdomainErrors, 'spec.ingressClassName', className));
  }
  return errors;
}

export function validateIngressStatus({ status }: Ingress): readonly FieldError[] {
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip, hostname }, index) => {
    const at = `status.loadBalancer.ingress[${index}]`;
    const errors: FieldError[] = [];
    if (ip && isIP(ip) === 0) {
      errors.push(invalid(`${at}.ip`, ip, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'));
    }
    if (hostname) {
      errors.push(...invalidBy(dns1123SubdomainErrors, `${at}.hostname`, hostname));
      if (isIP(hostname) !== 0) {
        errors.push(invalid(`${at}.hostname`, hostname, 'must be a DNS name, not an IP address'));
      }
    }
    return errors;
  });
}

function validateHost(host: string, path: string): FieldError[] {
  return invalidBy(host.includes('*') ? wildcardSubdomainErrors : dns1123SubdomainErrors, path, host);
}

function validateRule({ host, http }: IngressRule, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (host) {
    if (isIP(host) !== 0) errors.push(invalid(`${path}.host`, host, 'must be a DNS name, not an IP address'));
    errors.push(...validateHost(host, `${path}.host`));
  }
  if (http === undefined) return errors;
  const paths = http.paths ?? [];
  if (paths.length === 0) errors.push(required(`${path}.http.paths`));
  for (const [index, { path: text = '', pathType, backend }] of paths.entries()) {
    const at = `${path}.http.paths[${index}]`;
    if (pathType === undefined) {
      errors.push(required(`${at}.pathType`, 'pathType must be specified'));
      continue;
    }
    errors.push(...validatePath(text, pathType, at), ...validateBackend(backend ?? {}, `${at}.backend`));
  }
  return errors;
}

function validatePath(text: string, type: string, path: string): FieldError[] {
  const at = `${path}.path`;
  const types = ['Exact', 'ImplementationSpecific', 'Prefix'];
  if (!types.includes(type)) return [notSupported(`${path}.pathType`, type, types)];
  const absolute = text.startsWith('/') || (type === 'ImplementationSpecific' && text === '');
  const errors = absolute ? [] : [invalid(at, text, 'must be an absolute path')];
  if (type === 'ImplementationSpecific') return errors;
  for (const sequence of forbiddenSequences) {
    if (text.includes(sequence)) errors.push(invalid(at, text, `must not contain '${sequence}'`));
  }
  for (const ending of forbiddenEndings) {
    if (text.endsWith(ending)) errors.push(invalid(at, text, `cannot end with '${ending}'`));
  }
  return errors;
}

function validateBackend({ service, resource }: IngressBackend, path: string): FieldError[] {
  if (service !== undefined && resource !== undefined) {
    return [invalid(path, '', 'cannot set both resource and service backends')];
  }
  if (resource !== undefined) {
    return [
      ...(resource.apiGroup == null
        ? []
        : invalidBy(dns1123SubdomainErrors, `${path}.resource.apiGroup`, resource.apiGroup)),
      ...(['kind', 'name'] as const).flatMap((field) =>
        resource[field]
          ? invalidBy(pathSegmentErrors, `${path}.resource.${field}`, resource[field])
          : [required(`${path}.resource.${field}`)],
      ),
    ];
  }
  if (service === undefined) return [invalid(path, '', 'resource or service backend is required')];
  const errors = service.name
    ? invalidBy(dns1123LabelErrors, `${path}.service.name`, service.name)
    : [required(`${path}.service.name`)];
  const { name = '', number = 0 } = service.port ?? {};
  if (name !== '' && number !== 0) errors.push(invalid(path, '', 'cannot set both port name & port number'));
  else if (name !== '') errors.push(...invalidBy(portNameErrors, `${path}.service.port.name`, name));
  else if (number !== 0) errors.push(...validatePortNumber(number, `${path}.service.port.number`));
  else errors.push(required(path, 'port name or number is required'));
  return errors;
}
