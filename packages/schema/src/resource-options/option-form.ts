import { dns1035LabelErrors, dns1123SubdomainErrors } from '@evenkeel/apimachinery/names';

/** The form of an option's value. */
export interface OptionForm<T> {
  /** Completes the sentence "... must be". */
  readonly text: string;
  accepts(value: unknown): value is T;
  /** The sentence about an invalid value whose mistake is only in a part of it. */
  problemOf?(value: unknown): string | undefined;
}

export function form<T>(formText: string, accepts: (value: unknown) => boolean): OptionForm<T> {
  return { text: formText, accepts: (value): value is T => accepts(value) };
}

export const text = (formText: string) => form<string>(formText, (value) => typeof value === 'string' && value !== '');
export const flag = form<boolean>('true or false', (value) => typeof value === 'boolean');
export const flagOrWarning = form<boolean | string>('true, false, or the warning as a string', (value) =>
  ['boolean', 'string'].includes(typeof value),
);
export const int32 = form<number>(
  'an integer, where 0 means that the column is always shown',
  (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31,
);

export function oneOf<T extends string>(...values: readonly T[]): OptionForm<T> {
  const quoted = values.map((value) => `"${value}"`);
  return form(`${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`, (value) => values.includes(value as T));
}

export const groupName = form<string>(
  'a lower-case DNS name with a dot, such as "web.example.com"',
  (value) => typeof value === 'string' && value.includes('.') && dns1123SubdomainErrors(value).length === 0,
);

export function label(example: string): OptionForm<string> {
  return form(`a lower-case DNS label, ${example}`, isLabel);
}

export function labelList(example: string): OptionForm<readonly string[]> {
  return form(`a list of lower-case DNS labels, ${example}`, (value) => Array.isArray(value) && value.every(isLabel));
}

function isLabel(value: unknown): boolean {
  return typeof value === 'string' && dns1035LabelErrors(value).length === 0;
}

export function camelCase(example: string): OptionForm<string> {
  return form(`one word in CamelCase of at most 63 characters, ${example}`, isCamelCase);
}

export function isCamelCase(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Z][A-Za-z0-9]{0,62}$/.test(value);
}

export function textMap(example: string): OptionForm<Readonly<Record<string, string>>> {
  return form(
    `an object with string values, ${example}`,
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every((entry) => typeof entry === 'string'),
  );
}

export function dotted(example: string): OptionForm<string> {
  return form(
    `a path that starts with a dot, ${example}`,
    (value) => typeof value === 'string' && value.startsWith('.'),
  );
}

export function dottedBelow(roots: readonly string[], example: string): OptionForm<string> {
  const below = roots.map((root) => `.${root}`).join(' or ');
  return form(
    `dot-separated names below ${below}, ${example}`,
    (value) => typeof value === 'string' && isDotted(value) && roots.some((root) => value.startsWith(`.${root}.`)),
  );
}

/** Whether a path is like `.spec.replicas`. The scale subresource and field selectors split it at each dot. */
export function isDotted(path: string): boolean {
  return /^(?:\.[^.[\]'"\s]+)+$/.test(path);
}
