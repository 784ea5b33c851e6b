import type { EnvFromSource, EnvVar } from '@evenkeel/kinds';
import {
  canonicalQuantity,
  configMapKeyErrors,
  dns1123SubdomainErrors,
  environmentNameErrors,
  type FieldError,
  invalid,
  invalidBy,
  labelKeyErrors,
  notSupported,
  quantityNanos,
  required,
} from '../../apimachinery/index.ts';

/** Fields of a Pod that its environment variables may refer to. */
const environmentFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

const containerResourceFields = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

const byteDivisors = [
  '1',
  ...['k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit) => `1${unit}`),
];
const divisorWords: Readonly<Record<string, string>> = {
  cpu: 'cpu',
  memory: 'memory',
  'ephemeral-storage': 'local ephemeral storage',
};

/** Fields of a Pod that its volumes may refer to. */
export const volumeFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** Source: `ValidateEnv`, `pkg/apis/core/validation/validation.go`. */
export function validateEnvironment(variables: readonly EnvVar[] | undefined, path: string): FieldError[] {
  return (variables ?? []).flatMap((variable, index) => {
    const at = `${path}[${index}]`;
    const errors = variable.name
      ? invalidBy(environmentNameErrors, `${at}.name`, variable.name)
      : [required(`${at}.name`)];
    return [...errors, ...validateValueFrom(variable, `${at}.valueFrom`)];
  });
}

/** Source: `ValidateEnvFrom`. As upstream, the path of a missing source is that of the list. */
export function validateEnvironmentFrom(sources: readonly EnvFromSource[] | undefined, path: string): FieldError[] {
  return (sources ?? []).flatMap(({ prefix, configMapRef, secretRef }, index) => {
    const at = `${path}[${index}]`;
    const errors = prefix ? invalidBy(environmentNameErrors, `${at}.prefix`, prefix) : [];
    if (configMapRef !== undefined) errors.push(...validateReferenceName(configMapRef.name, `${at}.configMapRef.name`));
    if (secretRef !== undefined) errors.push(...validateReferenceName(secretRef.name, `${at}.secretRef.name`));
    if (configMapRef === undefined && secretRef === undefined) {
      errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    } else if (configMapRef !== undefined && secretRef !== undefined) {
      errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
    }
    return errors;
  });
}

/** Validates a reference to a field of the Pod itself. Source: `validateObjectFieldSelector`. */
export function validateFieldReference(
  reference: { apiVersion?: string; fieldPath: string },
  fields: readonly string[],
  path: string,
): FieldError[] {
  const { fieldPath } = reference;
  if (!reference.apiVersion) return [required(`${path}.apiVersion`)];
  if (!fieldPath) return [required(`${path}.fieldPath`)];
  const subscript = /^(metadata\.(?:annotations|labels))\['([^']*)'\]$/.exec(fieldPath);
  if (subscript !== null) {
    const key = subscript[2] ?? '';
    return invalidBy(labelKeyErrors, path, subscript[1] === 'metadata.annotations' ? key.toLowerCase() : key);
  }
  const known = [...environmentFields, ...volumeFields];
  if (!known.includes(fieldPath)) {
    const detail = `error converting fieldPath: field label not supported: ${fieldPath}`;
    return [invalid(`${path}.fieldPath`, fieldPath, detail)];
  }
  return fields.includes(fieldPath) ? [] : [notSupported(`${path}.fieldPath`, fieldPath, fields)];
}

function validateValueFrom({ value, valueFrom }: EnvVar, path: string): FieldError[] {
  if (valueFrom === undefined) return [];
  const errors: FieldError[] = [];
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  if (fieldRef !== undefined) errors.push(...validateFieldReference(fieldRef, environmentFields, `${path}.fieldRef`));
  if (resourceFieldRef !== undefined) {
    errors.push(...validateResourceReference(resourceFieldRef, `${path}.resourceFieldRef`));
  }
  if (configMapKeyRef !== undefined) errors.push(...validateKey(configMapKeyRef, `${path}.configMapKeyRef`));
  if (secretKeyRef !== undefined) errors.push(...validateKey(secretKeyRef, `${path}.secretKeyRef`));
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(
    (source) => source !== undefined,
  );
  if (sources.length === 0) {
    const detail =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    errors.push(invalid(path, '', detail));
  } else if (value) errors.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (sources.length > 1) {
    errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
  }
  return errors;
}

interface ResourceReference {
  readonly resource: string;
  readonly divisor?: string | number;
}

/**
 * Validates a reference to a resource of a container. `missing` is the path of a required member that is missing. Source:
 * `validateContainerResourceFieldSelector`.
 */
export function validateResourceReference(
  { resource = '', divisor = 0 }: ResourceReference,
  path: string,
  missing = resource === '' ? `${path}.resource` : undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  const isHugePages = /^(?:limits|requests)\.hugepages-/.test(resource);
  if (missing !== undefined) errors.push(required(missing));
  else if (!containerResourceFields.includes(resource) && !isHugePages) {
    errors.push(notSupported(`${path}.resource`, resource, containerResourceFields));
  }
  const [, name = ''] = resource.split('.');
  const divisors = name === 'cpu' ? ['1m', '1'] : byteDivisors;
  const words = isHugePages ? 'hugepages' : divisorWords[name];
  if (words === undefined || quantityNanos(divisor) === 0n || divisors.includes(canonicalQuantity(divisor)))
    return errors;
  const list = name === 'cpu' ? divisors.join(' and ') : divisors.join(', ');
  const detail = `only divisor's values ${list} are supported with the ${words} resource`;
  return [...errors, invalid(`${path}.divisor`, resource, detail)];
}

function validateKey({ name, key }: { name?: string; key: string }, path: string): FieldError[] {
  return [
    ...invalidBy(dns1123SubdomainErrors, `${path}.name`, name ?? ''),
    ...(key ? invalidBy(configMapKeyErrors, `${path}.key`, key) : [required(`${path}.key`)]),
  ];
}

function validateReferenceName(name: string | undefined, path: string): FieldError[] {
  return name ? invalidBy(dns1123SubdomainErrors, path, name) : [required(path)];
}
