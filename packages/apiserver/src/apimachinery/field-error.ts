import type { StatusCause } from '@evenkeel/core';

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

/**
 * What is wrong with one field: apimachinery's `field.Error`. The same shape as that of `@evenkeel/schema/evaluate`, so
 * that what a custom kind's schema finds and what a strategy finds go into one answer.
 */
export interface FieldError {
  readonly type: keyof typeof words;
  /** The path as the server prints it: `spec.ports[0].port`; `<nil>` for the object itself. */
  readonly field: string;
  /** The refused value; undefined where the message leaves it out. */
  readonly badValue?: unknown;
  readonly detail: string;
}

export const notFound = (path: string, value: unknown): FieldError => at('NotFound', path, '', value);
export const required = (path: string, detail = ''): FieldError => at('Required', path, detail);
export const duplicate = (path: string, value: unknown): FieldError => at('Duplicate', path, '', value);
export const invalid = (path: string, value: unknown, detail: string): FieldError => at('Invalid', path, detail, value);
export const typeInvalid = (path: string, value: unknown, detail: string): FieldError =>
  at('TypeInvalid', path, detail, value);
export const forbidden = (path: string, detail: string): FieldError => at('Forbidden', path, detail);
export const internalError = (path: string, detail: string): FieldError => at('InternalError', path, detail);

export function notSupported(path: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`;
  return at('NotSupported', path, detail, value);
}

export function tooLong(path: string, maxLength: number): FieldError {
  return at('TooLong', path, `may not be more than ${maxLength} ${maxLength === 1 ? 'byte' : 'bytes'}`);
}

export function tooMany(path: string, actual: number, max: number): FieldError {
  return at('TooMany', path, `must have at most ${max} ${max === 1 ? 'item' : 'items'}`, actual);
}

function at(type: FieldError['type'], path: string, detail: string, badValue?: unknown): FieldError {
  return { type, field: path === '' ? '<nil>' : path, detail, badValue };
}

/** The message without the field's name, as a Status cause carries it: `Invalid value: 0: must be greater than 0`. */
export function fieldErrorBody({ type, badValue, detail }: FieldError): string {
  const silent = badValue === undefined || valueless.has(type);
  const body = silent ? words[type] : `${words[type]}: ${goValue(badValue)}`;
  return detail === '' ? body : `${body}: ${detail}`;
}

const valueless = new Set<string>(['Required', 'Forbidden', 'TooLong', 'TooShort', 'InternalError']);

/**
 * A value as `field.Error` prints it: strings quoted, everything else as Go's JSON: objects as Go's maps, with sorted keys;
 * a Map as a struct, with its fields in order.
 */
function goValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[${value.map(goValue).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (value instanceof Map) return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}:${goValue(item)}`)}}`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${goValue((value as Record<string, unknown>)[key])}`);
  return `{${members.join(',')}}`;
}

/** Go's `%q` for the text that reaches messages: JSON's escapes are the same for it but for control characters. */
export function quote(text: string): string {
  return JSON.stringify(text);
}

/** The cause that `Status.details` lists for it. */
export function causeOf(error: FieldError): StatusCause {
  const reason = error.type === 'InternalError' ? 'InternalError' : `FieldValue${error.type}`;
  return { reason, message: fieldErrorBody(error), field: error.field };
}

/** The errors as one message: `a: Required value`, or `[a: Required value, b: Required value]`; repeats are left out. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const messages = [...new Set(errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`))];
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
}
