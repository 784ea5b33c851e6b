import {
  type FieldError,
  invalid,
  jsonEqual,
  nonNegativeMessage,
  notSupported,
  percentErrors,
  portNameErrors,
  portNumberErrors,
  required,
} from '../apimachinery/index.ts';

/** A number that is there and less than 0 is wrong (`ValidateNonnegativeField`). */
export function validateNonNegative(value: number | undefined, path: string): FieldError[] {
  return value !== undefined && value < 0 ? [invalid(path, value, nonNegativeMessage)] : [];
}

export function validatePortNumber(port: number, path: string): FieldError[] {
  return portNumberErrors(port).map((detail) => invalid(path, port, detail));
}

/** A port by number or by name. */
export function validatePort(port: number | string, path: string): FieldError[] {
  if (typeof port === 'number') return validatePortNumber(port, path);
  return portNameErrors(port).map((detail) => invalid(path, port, detail));
}

/** A count of 0 or more, or a percentage (`ValidatePositiveIntOrPercent`). */
export function validateIntOrPercent(value: number | string | undefined, path: string): FieldError[] {
  if (value === undefined) return [];
  if (typeof value === 'number') return validateNonNegative(value, path);
  return percentErrors(value).map((detail) => invalid(path, value, detail));
}

/** A percentage over 100 is wrong (`IsNotMoreThan100Percent`). */
export function validateAtMost100Percent(value: number | string | undefined, path: string): FieldError[] {
  if (typeof value !== 'string' || !/^\d{1,9}%$/.test(value)) return [];
  return Number(value.slice(0, -1)) > 100 ? [invalid(path, value, 'must not be greater than 100%')] : [];
}

/** The number that a count or percentage comes to, 0 where it is neither. */
export function intOrPercentValue(value: number | string | undefined): number {
  if (typeof value === 'number') return value;
  return value !== undefined && /^\d{1,9}%$/.test(value) ? Number(value.slice(0, -1)) : 0;
}

export function validateImmutable(value: unknown, old: unknown, path: string): FieldError[] {
  return jsonEqual(value, old) ? [] : [invalid(path, value ?? null, 'field is immutable')];
}

/** A value out of a closed list: required, and one of these. */
export function validateChoice(value: string | undefined, path: string, choices: readonly string[]): FieldError[] {
  if (!value) return [required(path)];
  return choices.includes(value) ? [] : [notSupported(path, value, choices)];
}
