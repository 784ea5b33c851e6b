/** A rule on names: the reasons why a text breaks it, none where it does not. */
export type NameRule = (text: string) => string[];

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';

const matchesLabel1123 = new RegExp(`^${label1123}$`);
const matchesSubdomain1123 = new RegExp(`^${subdomain1123}$`);
const matchesLabel1035 = new RegExp(`^${label1035}$`);

/** RFC 1123 subdomain: what most objects' names must be (k8s.io/apimachinery pkg/util/validation). */
export const dns1123Subdomain: NameRule = (text) => [
  ...lengthReasons(text, 253),
  ...(matchesSubdomain1123.test(text)
    ? []
    : [
        `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomain1123}')`,
      ]),
];

/** RFC 1123 label: what namespaces must be named. */
export const dns1123Label: NameRule = (text) => {
  const reasons = lengthReasons(text, 63);
  if (matchesLabel1123.test(text)) return reasons;
  if (matchesSubdomain1123.test(text)) return [...reasons, 'must not contain dots'];
  return [
    ...reasons,
    `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${label1123}')`,
  ];
};

/** RFC 1035 label: what resources, kinds in lower case and versions must be named. */
export const dns1035Label: NameRule = (text) => [
  ...lengthReasons(text, 63),
  ...(matchesLabel1035.test(text)
    ? []
    : [
        `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${label1035}')`,
      ]),
];

/** What may stand in a URL's path. */
export const pathSegment: NameRule = (text) => {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].filter((illegal) => text.includes(illegal)).map((illegal) => `may not contain '${illegal}'`);
};

function lengthReasons(text: string, max: number): string[] {
  return Buffer.byteLength(text) > max ? [`must be no more than ${max} bytes`] : [];
}
