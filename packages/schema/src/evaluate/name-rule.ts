/** A rule on names: the reasons why a text breaks it, none where it does not. */
export type NameRule = (text: string) => string[];

/** How a rule calls the bytes it counts: upstream calls them characters in the names of objects. */
type Unit = 'bytes' | 'characters';

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';

const matchesLabel1123 = new RegExp(`^${label1123}$`);
const matchesSubdomain1123 = new RegExp(`^${subdomain1123}$`);
const matchesLabel1035 = new RegExp(`^${label1035}$`);

/** RFC 1123 subdomain: what most objects' names must be (k8s.io/apimachinery pkg/util/validation). */
export const dns1123Subdomain = (text: string, unit: Unit = 'characters'): string[] => [
  ...lengthReasons(text, 253, unit),
  ...(matchesSubdomain1123.test(text)
    ? []
    : [
        `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain1123}')`,
      ]),
];

/** RFC 1123 label: what namespaces must be named. */
export const dns1123Label = (text: string, unit: Unit = 'characters'): string[] => {
  const reasons = lengthReasons(text, 63, unit);
  if (matchesLabel1123.test(text)) return reasons;
  if (matchesSubdomain1123.test(text)) return [...reasons, 'must not contain dots'];
  return [
    ...reasons,
    `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label1123}')`,
  ];
};

/** RFC 1035 label: what resources, kinds in lower case and versions must be named. */
export const dns1035Label = (text: string, unit: Unit = 'characters'): string[] => [
  ...lengthReasons(text, 63, unit),
  ...(matchesLabel1035.test(text)
    ? []
    : [
        `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${label1035}')`,
      ]),
];

/** What may stand in a URL's path, after something else in the same segment. */
export const pathSegmentPrefix: NameRule = (text) =>
  ['/', '%'].filter((illegal) => text.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);

/** What may stand in a URL's path as a segment. */
export const pathSegment: NameRule = (text) =>
  text === '.' || text === '..' ? [`may not be '${text}'`] : pathSegmentPrefix(text);

/**
 * The name by which a prefix is judged: it may end with a dash, since something is added. Upstream takes away one more
 * character than the dash (maskTrailingDash of k8s.io/apimachinery pkg/api/validation/generic.go).
 */
export function asPrefix(prefix: string): string {
  return prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix;
}

const keyName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const matchesKeyName = new RegExp(`^${keyName}$`);
const matchesLabelValue = new RegExp(`^(?:${keyName})?$`);
const keyForm = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${keyName}')`;

/** The key of a label: a name, with a domain before it where there is a `/`. Finalizers are named so too. */
export const labelKey: NameRule = (text) => {
  const parts = text.split('/');
  if (parts.length > 2) {
    return [`a valid label key ${keyForm} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? '';
  const [prefix] = parts.length === 2 ? parts : [];
  const reasons = prefix === '' ? ['must be non-empty'] : prefix === undefined ? [] : dns1123Subdomain(prefix, 'bytes');
  const nameReasons = name === '' ? ['must be non-empty'] : lengthReasons(name, 63, 'bytes');
  if (!matchesKeyName.test(name)) nameReasons.push(keyForm);
  return [...reasons.map((reason) => `prefix part ${reason}`), ...nameReasons.map((reason) => `name part ${reason}`)];
};

/** The value of a label. */
export const labelValue: NameRule = (text) => [
  ...lengthReasons(text, 63, 'bytes'),
  ...(matchesLabelValue.test(text)
    ? []
    : [
        `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(${keyName})?')`,
      ]),
];

function lengthReasons(text: string, max: number, unit: Unit): string[] {
  return Buffer.byteLength(text) > max ? [`must be no more than ${max} ${unit}`] : [];
}
