import { globalOverload, type Library, memberOverload } from '../declaration.ts';
import { noSuchOverload } from '../fault.ts';
import { parseDate } from '../time.ts';
import { listType, objectType, optionalType, stringType } from '../type.ts';
import { ArrayList, CelObject, CelOptional, type CelValue } from '../value.ts';
import { isRequestUrl } from './url.ts';

const formatType = objectType('kubernetes.NamedFormat');

const labelFormat = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const nameFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const alphanumericEnds = 'and must start and end with an alphanumeric character';

/** A rule for strings that has a name. */
export class FormatValue extends CelObject {
  readonly celType = formatType;
  readonly name: string;
  /** The length upstream assumes of the regular expression behind the rule, when it reckons costs. */
  readonly regexSize: number;
  readonly #validate: (text: string) => readonly string[];

  constructor(name: string, regexSize: number, validate: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.regexSize = regexSize;
    this.#validate = validate;
  }

  /** What is wrong with the text, in the words of k8s.io/apimachinery; nothing when it conforms. */
  validate(text: string): readonly string[] {
    return this.#validate(text);
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof FormatValue)) throw noSuchOverload();
    return other.name === this.name;
  }
}

const formats: ReadonlyMap<string, FormatValue> = new Map([
  ['dns1123Label', new FormatValue('DNS1123Label', 30, dns1123Label)],
  ['dns1123Subdomain', new FormatValue('DNS1123Subdomain', 60, dns1123Subdomain)],
  ['dns1035Label', new FormatValue('DNS1035Label', 30, dns1035Label)],
  ['qualifiedName', new FormatValue('QualifiedName', 60, qualifiedName)],
  ['dns1123LabelPrefix', new FormatValue('DNS1123LabelPrefix', 30, (text) => dns1123Label(asPrefix(text)))],
  ['dns1123SubdomainPrefix', new FormatValue('DNS1123SubdomainPrefix', 60, (text) => dns1123Subdomain(asPrefix(text)))],
  ['dns1035LabelPrefix', new FormatValue('DNS1035LabelPrefix', 30, (text) => dns1035Label(asPrefix(text)))],
  ['labelValue', new FormatValue('LabelValue', 40, labelValue)],
  [
    'uri',
    new FormatValue('URI', 1103, (text) => {
      const problem = isRequestUrl(text);
      return problem === undefined ? [] : [problem];
    }),
  ],
  ['uuid', matching('uuid', 70, isUuid, 'does not match the UUID format')],
  ['byte', matching('byte', 84, isBase64, 'invalid base64')],
  ['date', matching('date', 71, (text) => parseDate(text) !== undefined, 'invalid date')],
  ['datetime', matching('datetime', 71, isDateTime, 'invalid datetime')],
]);

/** `format.<name>().validate(text)` of Kubernetes, since 1.31. */
export const namedFormatLibrary: Library = {
  functions: [
    {
      name: 'validate',
      overloads: [
        memberOverload('format-validate', [formatType, stringType], optionalType(listType(stringType)), validate),
      ],
    },
    {
      name: 'format.named',
      overloads: [
        globalOverload('format-named', [stringType], optionalType(formatType), (name) => {
          if (typeof name !== 'string') throw noSuchOverload();
          const format = formats.get(name);
          return format === undefined ? CelOptional.none : CelOptional.of(format);
        }),
      ],
    },
    ...[...formats].map(([name, format]) => ({
      name: `format.${name}`,
      overloads: [globalOverload(`format.${name}`, [], formatType, () => format)],
    })),
  ],
};

function validate(format?: CelValue, text?: CelValue): CelOptional {
  if (!(format instanceof FormatValue) || typeof text !== 'string') throw noSuchOverload();
  const problems = format.validate(text);
  return problems.length === 0 ? CelOptional.none : CelOptional.of(new ArrayList(problems));
}

function matching(name: string, regexSize: number, conforms: (text: string) => boolean, problem: string): FormatValue {
  return new FormatValue(name, regexSize, (text) => (conforms(text) ? [] : [problem]));
}

function dns1123Label(text: string): string[] {
  const problems = tooLong(text, 63);
  if (isLabel(text)) return problems;
  if (isSubdomain(text)) return [...problems, 'must not contain dots'];
  return [
    ...problems,
    regexProblem(
      `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${alphanumericEnds}`,
      labelFormat,
      ['my-name', '123-abc'],
    ),
  ];
}

function dns1123Subdomain(text: string): string[] {
  const problems = tooLong(text, 253);
  if (isSubdomain(text)) return problems;
  return [
    ...problems,
    regexProblem(
      `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${alphanumericEnds}`,
      `${labelFormat}(\\.${labelFormat})*`,
      ['example.com'],
    ),
  ];
}

function dns1035Label(text: string): string[] {
  const problems = tooLong(text, 63);
  if (isLabel(text) && /^[a-z]/.test(text)) return problems;
  return [
    ...problems,
    regexProblem(
      "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic " +
        'character, and end with an alphanumeric character',
      '[a-z]([-a-z0-9]*[a-z0-9])?',
      ['my-name', 'abc-123'],
    ),
  ];
}

function qualifiedName(text: string): string[] {
  const words = `must consist of alphanumeric characters, '-', '_' or '.', ${alphanumericEnds}`;
  const mismatch = regexProblem(words, nameFormat, ['MyName', 'my.name', '123-abc']);
  const parts = text.split('/');
  if (parts.length > 2) {
    return [`a valid label key ${mismatch} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  const problems: string[] = [];
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined) problems.push(...dns1123Subdomain(prefix).map((problem) => `prefix part ${problem}`));
  if (name === '') problems.push('name part must be non-empty');
  else problems.push(...tooLong(name, 63).map((problem) => `name part ${problem}`));
  if (!isName(name)) problems.push(`name part ${mismatch}`);
  return problems;
}

function labelValue(text: string): string[] {
  const problems = tooLong(text, 63);
  if (text === '' || isName(text)) return problems;
  const words = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ";
  return [
    ...problems,
    regexProblem(`${words}${alphanumericEnds}`, `(${nameFormat})?`, ['MyValue', 'my_value', '12345']),
  ];
}

/** A name to which something will be added may end with a dash. */
function asPrefix(text: string): string {
  return text.length > 1 && text.endsWith('-') ? `${text.slice(0, -1)}a` : text;
}

// The tests below look at characters and at both ends separately, so that no pattern can backtrack.

function isLabel(text: string): boolean {
  return /^[-a-z0-9]+$/.test(text) && !text.startsWith('-') && !text.endsWith('-');
}

function isSubdomain(text: string): boolean {
  return text.split('.').every(isLabel);
}

function isName(text: string): boolean {
  return /^[-A-Za-z0-9_.]+$/.test(text) && /^[A-Za-z0-9]/.test(text) && /[A-Za-z0-9]$/.test(text.slice(-1));
}

function isUuid(text: string): boolean {
  return text.length <= 36 && /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text);
}

function isBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+$/.test(text.slice(0, text.length - padding));
}

function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  const match = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time?.slice(0, 200) ?? '');
  if (parseDate(date) === undefined || match === null) return false;
  const [, hours = '', minutes = '', seconds = ''] = match;
  return hours <= '23' && minutes <= '59' && seconds <= '59';
}

function tooLong(text: string, limit: number): string[] {
  return Buffer.byteLength(text) > limit ? [`must be no more than ${limit} bytes`] : [];
}

function regexProblem(words: string, regex: string, examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join('or ');
  return `${words} (e.g. ${shown}regex used for validation is '${regex}')`;
}
