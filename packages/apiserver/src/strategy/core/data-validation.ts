import type { ConfigMap, Secret } from '@evenkeel/kinds';
import {
  configMapKeyErrors,
  type FieldError,
  forbidden,
  invalid,
  jsonEqual,
  required,
  tooLong,
} from '../../apimachinery/index.ts';
import { validateImmutable } from '../number-validation.ts';

/** One mebibyte: `MaxSecretSize`, `pkg/apis/core/types.go`. */
const mostBytes = 1024 * 1024;

/** Source: `ValidateConfigMap`, `pkg/apis/core/validation/validation.go`. */
export function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...validateKey(key, 'data'));
    if (Object.hasOwn(binaryData, key)) {
      errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    size += Buffer.byteLength(value);
  }
  for (const [key, value] of Object.entries(binaryData)) {
    errors.push(...validateKey(key, 'binaryData'));
    size += Buffer.byteLength(value, 'base64');
  }
  if (size > mostBytes) errors.push(tooLong('[]', mostBytes));
  return errors;
}

export function validateConfigMapUpdate(object: ConfigMap, old: ConfigMap): FieldError[] {
  return [...validateSealed(object, old, ['data', 'binaryData']), ...validateConfigMap(object)];
}

/** Source: `ValidateSecret`. */
export function validateSecret(object: Secret): FieldError[] {
  const data = object.data ?? {};
  const errors: FieldError[] = [];
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    errors.push(...validateKey(key, 'data'));
    size += Buffer.byteLength(value, 'base64');
  }
  if (size > mostBytes) errors.push(tooLong('data', mostBytes));
  return [...errors, ...validateType(object, data)];
}

export function validateSecretUpdate(object: Secret, old: Secret): FieldError[] {
  return [
    ...validateImmutable(object.type, old.type, 'type'),
    ...validateSealed(object, old, ['data']),
    ...validateSecret(object),
  ];
}

function validateKey(key: string, path: string): FieldError[] {
  return configMapKeyErrors(key).map((detail) => invalid(`${path}[${key}]`, key, detail));
}

/** What is `immutable` stays so, and as it is. */
function validateSealed<T extends ConfigMap | Secret>(
  object: T,
  old: T,
  fields: readonly (keyof T & string)[],
): FieldError[] {
  if (old.immutable !== true) return [];
  const detail = 'field is immutable when `immutable` is set';
  const changed = fields.filter((field) => !jsonEqual(object[field] ?? {}, old[field] ?? {}));
  return [...(object.immutable === true ? [] : ['immutable']), ...changed].map((field) => forbidden(field, detail));
}

/** Types that promise keys. */
function validateType({ type, metadata }: Secret, data: Readonly<Record<string, string>>): FieldError[] {
  const need = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));
  switch (type) {
    case 'kubernetes.io/service-account-token': {
      const account = 'kubernetes.io/service-account.name';
      return metadata.annotations?.[account] ? [] : [required(`metadata.annotations[${account}]`)];
    }
    case 'kubernetes.io/dockercfg':
      return [...need('.dockercfg'), ...validateJson(data, '.dockercfg')];
    case 'kubernetes.io/dockerconfigjson':
      return [...need('.dockerconfigjson'), ...validateJson(data, '.dockerconfigjson')];
    case 'kubernetes.io/basic-auth':
      return Object.hasOwn(data, 'username') || Object.hasOwn(data, 'password') ? [] : need('username', 'password');
    case 'kubernetes.io/ssh-auth':
      return data['ssh-privatekey'] ? [] : [required('data[ssh-privatekey]')];
    case 'kubernetes.io/tls':
      return need('tls.crt', 'tls.key');
    default:
      return [];
  }
}

/** The parser's own words follow where the text is no JSON; they differ from those of Go. */
function validateJson(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  const encoded = Object.hasOwn(data, key) ? data[key] : undefined;
  if (encoded === undefined) return [];
  const path = `data[${key}]`;
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64').toString());
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return [];
    return [invalid(path, '<secret contents redacted>', 'json: cannot unmarshal into a Go value of type object')];
  } catch (error) {
    return [invalid(path, '<secret contents redacted>', error instanceof Error ? error.message : String(error))];
  }
}
