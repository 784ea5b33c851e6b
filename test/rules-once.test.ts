import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTest, root, sourceFilesBelow } from './imports.fixture.ts';

/** One of Kubernetes' own rules, and how a second copy of it would look. */
interface Rule {
  readonly rule: string;
  /** Where it is, below packages/apimachinery/src. */
  readonly home: string;
  readonly copy: RegExp;
  /** What looks like a copy and is none: the file below packages, and why. */
  readonly except?: Readonly<Record<string, string>>;
}

const rules: readonly Rule[] = [
  {
    rule: 'equality of JSON values',
    home: 'json/json-value.ts',
    copy: /function \w+\(\w+: unknown, \w+: unknown(?:, depth[^)]*)?\): boolean/,
    except: {
      'schema/src/evaluate/apiextensions/custom-resource-definition.ts':
        'asks jsonEqual; empty and missing lists are the same',
      'schema/src/model/initial-values.ts': 'compares values of JavaScript, whose prototypes matter',
    },
  },
  {
    rule: 'a copy of a JSON value',
    home: 'json/json-value.ts',
    copy: /function \w+<T>\(\w+: T(?:, [^)]*)?\): T\b/,
  },
  {
    rule: 'what a JSON object is',
    home: 'json/json-value.ts',
    copy: /interface JsonObject\b|type JsonObject =|: unknown\): \w+ is (?:JsonObject|Members|(?:Readonly<)?Record<string, unknown>)/,
    except: { 'schema/src/validator/class-validator.ts': 'asks isJsonObject; instances of classes are no maps' },
  },
  { rule: 'bytes that JSON is made of', home: 'json/json-scan.ts', copy: /const \w+ = 0x(?:7b|7d|5b|5d)\b/ },
  {
    rule: 'the order of strings',
    home: 'go-format/go-format.ts',
    copy: /function (?:by|compare|order)\w*\(\w+: string, \w+: string\): number|Buffer\.compare\(/,
    except: {
      'core/src/kind/version-priority.ts': 'orders versions of APIs (v1beta1 before v1)',
      'runtime/src/cache/resource-version.ts': 'orders numbers that are written as strings',
    },
  },
  {
    rule: "Go's names of types of JSON values",
    home: 'go-format/go-format.ts',
    copy: /return '\[\]interface \{\}'/,
  },
  { rule: "Go's form of a map", home: 'go-format/go-format.ts', copy: /`map\[\$\{/ },
  { rule: "Go's structs", home: 'go-format/go-format.ts', copy: /class Go\w+/ },
  { rule: "Go's `%q`", home: 'go-format/go-format.ts', copy: /function goQuote\b|`\\\\x\$\{hex\(/ },
  {
    rule: 'what Go can print',
    home: 'go-format/go-format.ts',
    copy: /\\p\{C\}\\p\{Z\}|\\p\{L\}\\p\{M\}\\p\{N\}\\p\{P\}/,
  },
  {
    rule: 'errors of fields',
    home: 'field-error/field-error.ts',
    copy: /(?:interface|class) FieldError\b|type FieldError =|'Unsupported value'|'Duplicate value'/,
  },
  { rule: 'the Status of an invalid object', home: 'field-error/field-error.ts', copy: /`FieldValue\$\{/ },
  {
    rule: 'the form of names',
    home: 'names/name-form.ts',
    copy: /\[a-z0-9\]\((?:\?:)?\[-a-z0-9.]\*\[a-z0-9\]\)|\[a-z0-9\]\((?:\?:)?\[-a-z0-9\]\*\[a-z0-9\]\)|\[-A-Za-z0-9_\.\]\*\[A-Za-z0-9\]/,
  },
  {
    rule: 'what is wrong with a name',
    home: 'names/names.ts',
    copy: /must be no more than \$\{|must consist of lower case/,
    except: { 'apiserver/src/strategy/batch/cron-job-validation.ts': 'a limit that CronJobs alone have' },
  },
  {
    rule: 'the errors of metadata',
    home: 'object-meta/object-meta.ts',
    copy: /name or generateName is required|'must be `Apply`|no new finalizers/,
  },
  {
    rule: 'the fields of metadata',
    home: 'object-meta/object-meta-types.ts',
    copy: /into Go value of type v1\.ObjectMeta/,
  },
  {
    rule: 'the errors of labels and selectors',
    home: 'object-meta/label-rules.ts',
    copy: /not a valid selector operator|function validateLabels?\b/,
  },
  {
    rule: 'amounts of resources',
    home: 'quantity/quantity.ts',
    copy: /\['Ki'|quantities must match/,
  },
  {
    rule: 'selectors of labels',
    home: 'selector/label-selector.ts',
    copy: /function matchesLabels\b|case 'DoesNotExist':|interface LabelSelectorSpec/,
  },
  {
    rule: 'what a rule of a role allows',
    home: 'rbac/policy-rule.ts',
    copy: /interface PolicyRule\b|function ruleAllows\b|nonResourceURLs \?\? \[\]\)\.some/,
  },
  { rule: 'the Status of a refusal', home: 'status/api-status.ts', copy: /interface (?:ApiStatus|StatusCause)\b/ },
  { rule: 'certificates', home: 'certificate/certificate-authority.ts', copy: /BEGIN CERTIFICATE|2\.5\.29\.19/ },
  {
    rule: 'the largest request',
    home: 'limits/limits.ts',
    copy: /(?<![\d] )\b3 \* 1024 \* 1024\b|\b3 << 20\b|3_145_728/,
  },
  { rule: 'the largest object', home: 'limits/limits.ts', copy: /1\.5 \* 1024 \* 1024|1536 \* 1024/ },
  { rule: 'the longest annotations', home: 'limits/limits.ts', copy: /256 \* 1024/ },
];

const home = 'packages/apimachinery/src/';
const texts = new Map(
  sourceFilesBelow('packages')
    .filter((file) => /^packages\/\w+\/src\//.test(file) && !file.includes('/generated/') && !isTest(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);

describe("Kubernetes' own rules are written once", () => {
  it.each(rules.map((it) => [it.rule, it] as const))('%s', (_rule, { home: file, copy, except = {} }) => {
    const found = [...texts].filter(([, text]) => copy.test(text)).map(([name]) => name);
    expect(found.sort()).toEqual([`${home}${file}`, ...Object.keys(except).map((name) => `packages/${name}`)].sort());
  });
});
