import {
  asPrefix,
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelKeyErrors,
  labelValueErrors,
} from '../../apimachinery.ts';
import { isDate, isDateTime } from '../../format/date-time.ts';
import { isBase64, isUuid } from '../../format/text-format.ts';
import { parseRequestUri } from '../../format/url.ts';
import { globalOverload, type Library, memberOverload } from '../value/declaration.ts';
import { noSuchOverload } from '../value/fault.ts';
import { listType, objectType, optionalType, stringType } from '../value/type.ts';
import { ArrayList, CelObject, CelOptional, type CelValue } from '../value/value.ts';

const formatType = objectType('kubernetes.NamedFormat');

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
  ['dns1123Label', new FormatValue('DNS1123Label', 30, ofName(dns1123LabelErrors))],
  ['dns1123Subdomain', new FormatValue('DNS1123Subdomain', 60, ofName(dns1123SubdomainErrors))],
  ['dns1035Label', new FormatValue('DNS1035Label', 30, ofName(dns1035LabelErrors))],
  ['qualifiedName', new FormatValue('QualifiedName', 60, labelKeyErrors)],
  ['dns1123LabelPrefix', new FormatValue('DNS1123LabelPrefix', 30, ofPrefix(dns1123LabelErrors))],
  ['dns1123SubdomainPrefix', new FormatValue('DNS1123SubdomainPrefix', 60, ofPrefix(dns1123SubdomainErrors))],
  ['dns1035LabelPrefix', new FormatValue('DNS1035LabelPrefix', 30, ofPrefix(dns1035LabelErrors))],
  ['labelValue', new FormatValue('LabelValue', 40, labelValueErrors)],
  [
    'uri',
    new FormatValue('URI', 1103, (text) => {
      const parsed = parseRequestUri(text);
      return typeof parsed === 'string' ? [parsed] : [];
    }),
  ],
  ['uuid', matching('uuid', 70, isUuid, 'does not match the UUID format')],
  ['byte', matching('byte', 84, isBase64, 'invalid base64')],
  ['date', matching('date', 71, isDate, 'invalid date')],
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

type NameCheck = (text: string, unit: 'bytes') => readonly string[];

function ofName(check: NameCheck): (text: string) => readonly string[] {
  return (text) => check(text, 'bytes');
}

function ofPrefix(check: NameCheck): (text: string) => readonly string[] {
  return (text) => check(asPrefix(text), 'bytes');
}
