import { GoPointer, goJson, goNumber, goQuote } from '../go-format/go-format.ts';
import type { ApiStatus, StatusCause } from '../status/api-status.ts';

const words = {
  NotFound: 'Not found',
  Required: 'Required value',
  Duplicate: 'Duplicate value',
  Invalid: 'Invalid value',
  NotSupported: 'Unsupported value',
  Forbidden: 'Forbidden',
  TooLong: 'Too long',
  TooMany: 'Too many',
  TooFew: 'Too few',
  TooShort: 'Too short',
  TypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
} as const;

/** The type of a field error: the names of k8s.io/apimachinery `field.ErrorType` without the prefix `FieldValue`. */
export type FieldErrorType = keyof typeof words;

/** One field that an API server rejects (k8s.io/apimachinery `field.Error`). */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The path as the API server prints it, such as `spec.ports[0].port`; `<nil>` where upstream has no path. */
  readonly field: string;
  /** The rejected value; undefined if the message does not contain it. */
  readonly badValue?: unknown;
  readonly detail: string;
}

/** The whole message: `spec.replicas: Invalid value: 60: must be ...`. */
export function fieldErrorText(error: FieldError): string {
  return `${error.field}: ${fieldErrorBody(error)}`;
}

/** The message without the field's name, as a Status cause carries it. */
export function fieldErrorBody(error: FieldError): string {
  const body = showsValue(error) ? `${words[error.type]}: ${valueText(error.badValue)}` : words[error.type];
  return error.detail === '' ? body : `${body}: ${error.detail}`;
}

function showsValue({ type, badValue }: FieldError): boolean {
  if (badValue === undefined) return false;
  return !['Required', 'Forbidden', 'TooLong', 'TooShort', 'InternalError'].includes(type);
}

function valueText(value: unknown): string {
  if (value instanceof GoPointer) return goJson(value.value);
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value);
  return goJson(value);
}

/**
 * Returns the error at a path whose body is this message, such as `Required value`. A message that does not begin as the API
 * server's own is the detail of an invalid value.
 */
export function fieldErrorOf(path: string, message: string, value: unknown): FieldError {
  for (const [type, word] of Object.entries(words) as [FieldErrorType, string][]) {
    if (message === word) return at(type, path, '');
    if (message.startsWith(`${word}: `)) return at(type, path, message.slice(word.length + 2));
  }
  return invalid(path, value, message);
}

/** The error as one of a Status' causes. */
export function statusCauseOf(error: FieldError): StatusCause {
  const reason = error.type === 'InternalError' ? 'InternalError' : `FieldValue${error.type}`;
  return { reason, message: fieldErrorBody(error), field: error.field };
}

/** Joins errors into one message: a single error without brackets, several in brackets, duplicates once. */
export function aggregateMessage(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(fieldErrorText))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

/** The 422 Status with which the API server rejects an object that has these errors. */
export function invalidStatus(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): ApiStatus {
  const qualified = kind.group === '' ? kind.kind : `${kind.kind}.${kind.group}`;
  const reasons = errors.length === 0 ? '' : `: ${aggregateMessage(errors)}`;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${qualified} ${goQuote(name)} is invalid${reasons}`,
    reason: 'Invalid',
    details: {
      ...(name === '' ? {} : { name }),
      ...(kind.group === '' ? {} : { group: kind.group }),
      kind: kind.kind,
      causes: errors.map(statusCauseOf),
    },
    code: 422,
  };
}

/** Creates an error at a path. The empty path prints as `<nil>`, as upstream's nil path does. */
function at(type: FieldErrorType, path: string, detail: string, badValue?: unknown): FieldError {
  return { type, field: path === '' ? '<nil>' : path, detail, badValue };
}

export const notFound = (path: string, value: unknown): FieldError => at('NotFound', path, '', value);
export const required = (path: string, detail = ''): FieldError => at('Required', path, detail, '');
export const invalid = (path: string, value: unknown, detail: string): FieldError => at('Invalid', path, detail, value);
export const typeInvalid = (path: string, value: unknown, detail: string): FieldError =>
  at('TypeInvalid', path, detail, value);
export const forbidden = (path: string, detail: string): FieldError => at('Forbidden', path, detail, '');
export const duplicate = (path: string, value: unknown): FieldError => at('Duplicate', path, '', value);
export const internalError = (path: string, detail: string): FieldError => at('InternalError', path, detail);

export function notSupported(path: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return at('NotSupported', path, detail, value);
}

export function tooLong(path: string, maxLength: number): FieldError {
  const detail =
    maxLength < 0 ? 'value is too long' : `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`;
  return at('TooLong', path, detail);
}

export function tooMany(path: string, actual: number, max: number): FieldError {
  return at('TooMany', path, `must have at most ${max} ${max === 1 ? 'item' : 'items'}`, actual);
}

/** Appends errors. There can be more errors than a call can have arguments. */
export function addErrors(to: FieldError[], errors: Iterable<FieldError>): void {
  for (const error of errors) to.push(error);
}

/** The maximum total length of the paths and details of all errors. */
const maxErrorLength = 16 * 1024 * 1024;

/**
 * Limits the total length of the errors. Each error repeats its path, so a few bytes of a hostile definition can
 * produce gigabytes. If errors are dropped, the last one of the result reports it.
 */
export function withinReason(errors: readonly FieldError[]): FieldError[] {
  let length = 0;
  const end = errors.findIndex(({ field, detail }) => {
    length += field.length + detail.length;
    return length > maxErrorLength;
  });
  if (end < 0) return [...errors];
  return [...errors.slice(0, Math.min(end, 100)), forbidden('', 'there are more errors than can be told')];
}

/** `path.name`; only the name if the path is empty. */
export function childPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** `path[key]`, for list indexes and keys of maps. */
export function keyPath(path: string, key: string | number): string {
  return `${path}[${key}]`;
}
