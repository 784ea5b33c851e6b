import {
  dns1035Label,
  dns1123Label,
  dns1123Subdomain,
  hasLabelForm,
  hasQualifiedForm,
  hasSubdomainForm,
  qualifiedName,
} from './name-form.ts';

/**
 * A rule for a name, label or key. Returns the API server's error messages; an empty list means that the value is
 * valid.
 * Sources: apimachinery `pkg/util/validation/validation.go` and `pkg/api/validate/content`.
 */
export type NameRule = (value: string) => readonly string[];

/** The word that a message uses for the bytes that a rule counts: upstream says characters for names of objects. */
type Unit = 'bytes' | 'characters';

const underscoreLabel = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const configMapKey = '[-._a-zA-Z0-9]+';
const httpHeaderName = '[-A-Za-z0-9]+';
const percent = '[0-9]+%';

function lengthErrors(value: string, max: number, unit: Unit): string[] {
  return Buffer.byteLength(value) > max ? [`must be no more than ${max} ${unit}`] : [];
}

export const rangeMessage = (least: number, most: number): string => `must be between ${least} and ${most}, inclusive`;
export const nonNegativeMessage = 'must be greater than or equal to 0';

/** The message for a value that does not match an expression, with valid examples. */
function regexMessage(message: string, expression: string, ...examples: readonly string[]): string {
  if (examples.length === 0) return `${message} (regex used for validation is '${expression}')`;
  const list = examples.map((example) => `'${example}', `).join(' or ');
  return `${message} (e.g. ${list}regex used for validation is '${expression}')`;
}

/** RFC 1123 label: the rule for names of namespaces. */
export const dns1123LabelErrors = (value: string, unit: Unit = 'characters'): readonly string[] => {
  const errors = lengthErrors(value, 63, unit);
  if (hasLabelForm(value)) return errors;
  if (hasSubdomainForm(value)) return [...errors, 'must not contain dots'];
  return [
    ...errors,
    regexMessage(
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
      dns1123Label,
      'my-name',
      '123-abc',
    ),
  ];
};

/** RFC 1035 label: the rule for resources, kinds in lower case and versions. */
export const dns1035LabelErrors = (value: string, unit: Unit = 'characters'): readonly string[] => {
  const errors = lengthErrors(value, 63, unit);
  if (/^[a-z]/.test(value) && hasLabelForm(value)) return errors;
  return [
    ...errors,
    regexMessage(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
      dns1035Label,
      'my-name',
      'abc-123',
    ),
  ];
};

/** RFC 1123 subdomain: the rule for names of most objects. */
export const dns1123SubdomainErrors = (value: string, unit: Unit = 'characters'): readonly string[] => {
  const errors = lengthErrors(value, 253, unit);
  if (hasSubdomainForm(value)) return errors;
  return [
    ...errors,
    regexMessage(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      dns1123Subdomain,
      'example.com',
    ),
  ];
};

/** RFC 1123 subdomain that may contain underscores: the rule for DNS search paths (`IsDNS1123SubdomainWithUnderscore`). */
export const underscoreSubdomainErrors: NameRule = (value) => {
  const errors = lengthErrors(value, 253, 'bytes');
  if (value.split('.').every((label) => /^_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/.test(label))) return errors;
  return [
    ...errors,
    regexMessage(
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
      `${underscoreLabel}(\\.${underscoreLabel})*`,
      'example.com',
    ),
  ];
};

export const wildcardSubdomainErrors: NameRule = (value) => {
  const errors = lengthErrors(value, 253, 'characters');
  if (value.startsWith('*.') && hasSubdomainForm(value.slice(2))) return errors;
  return [
    ...errors,
    regexMessage(
      "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
      `\\*\\.${dns1123Subdomain}`,
      '*.example.com',
    ),
  ];
};

/** The rule for names of roles and bindings: a name must be one segment of a URL's path (`IsPathSegmentName`). */
export const pathSegmentErrors: NameRule = (value) =>
  value === '.' || value === '..' ? [`may not be '${value}'`] : pathSegmentPrefixErrors(value);

/** The rule for the prefix of such a name (`IsPathSegmentPrefix`). */
export const pathSegmentPrefixErrors: NameRule = (value) =>
  ['/', '%'].filter((illegal) => value.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);

const qualifiedNameMessage =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** The rule for a label's key: `NAME` or `DOMAIN/NAME`. */
export const labelKeyErrors: NameRule = (value) => {
  const parts = value.split('/');
  const errors: string[] = [];
  if (parts.length > 2) {
    return [
      `a valid label key ${regexMessage(qualifiedNameMessage, qualifiedName, 'MyName', 'my.name', '123-abc')} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  if (prefix === '') errors.push('prefix part must be non-empty');
  else if (prefix !== undefined) {
    errors.push(...dns1123SubdomainErrors(prefix, 'bytes').map((message) => `prefix part ${message}`));
  }
  const name = parts.at(-1) ?? '';
  if (name === '') errors.push('name part must be non-empty');
  errors.push(...lengthErrors(name, 63, 'bytes').map((message) => `name part ${message}`));
  if (!hasQualifiedForm(name)) {
    errors.push(`name part ${regexMessage(qualifiedNameMessage, qualifiedName, 'MyName', 'my.name', '123-abc')}`);
  }
  return errors;
};

export const labelValueErrors: NameRule = (value) => {
  const errors = lengthErrors(value, 63, 'bytes');
  if (value === '' || hasQualifiedForm(value)) return errors;
  return [
    ...errors,
    regexMessage(
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      `(${qualifiedName})?`,
      'MyValue',
      'my_value',
      '12345',
    ),
  ];
};

export const portNumberErrors = (port: number): readonly string[] =>
  port >= 1 && port <= 65535 ? [] : [rangeMessage(1, 65535)];

export const portNameErrors: NameRule = (value) => {
  const errors = lengthErrors(value, 15, 'characters');
  if (!/^[-a-z0-9]+$/.test(value)) {
    errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(value)) errors.push('must contain at least one letter (a-z)');
  if (value.includes('--')) errors.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
};

/** The rule for the name of an environment variable: the relaxed one that servers have had since 1.34. */
export const environmentNameErrors: NameRule = (value) => {
  if (value === '') return ['environment variable name must be non-empty'];
  return /^[\x20-\x3c\x3e-\x7e]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
};

export const configMapKeyErrors: NameRule = (value) => {
  const errors = lengthErrors(value, 253, 'characters');
  if (!/^[-._a-zA-Z0-9]+$/.test(value)) {
    errors.push(
      regexMessage(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        configMapKey,
        'key.name',
        'KEY_NAME',
        'key-name',
      ),
    );
  }
  if (value === '.' || value === '..') errors.push(`must not be '${value}'`);
  else if (value.startsWith('..')) errors.push("must not start with '..'");
  return errors;
};

export const httpHeaderNameErrors: NameRule = (value) =>
  /^[-A-Za-z0-9]+$/.test(value)
    ? []
    : [
        regexMessage(
          "a valid HTTP header must consist of alphanumeric characters or '-'",
          httpHeaderName,
          'X-Header-Name',
        ),
      ];

export const percentErrors: NameRule = (value) =>
  /^[0-9]+%$/.test(value)
    ? []
    : [regexMessage("a valid percent string must be a numeric string followed by an ending '%'", percent, '1%', '93%')];

/** Returns a strategy's rule for names: a `generateName` may end with a hyphen, because a suffix follows. */
export function nameRule(rule: NameRule): (name: string, prefix: boolean) => readonly string[] {
  return (name, prefix) => rule(prefix ? asPrefix(name) : name);
}

/**
 * Returns the name to check in place of a prefix, which may end with a hyphen because a suffix follows. Like upstream,
 * it also removes the character before the hyphen (`maskTrailingDash`, apimachinery `pkg/api/validation/generic.go`).
 */
export function asPrefix(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}
