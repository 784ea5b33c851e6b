import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTest, root, sourceFilesBelow } from './imports.fixture.ts';

/** One of Kubernetes' own rules, and a pattern that matches a second copy of it. */
interface Rule {
  readonly rule: string;
  /** The file below packages/apimachinery/src that contains the rule. */
  readonly home: string;
  readonly copy: RegExp;
  /** Files below packages that match the pattern without being a copy, with the reasons. */
  readonly except?: Readonly<Record<string, string>>;
}

const rules: readonly Rule[] = [
  {
    rule: 'equality of JSON values',
    home: 'json/json-value.ts',
    copy: /function \w+\(\w+: unknown, \w+: unknown(?:, depth[^)]*)?\): boolean/,
    except: {
      'runtime/src/fields/lost-fields.ts': 'is true for a part of an object too; calls jsonEqual',
      'schema/src/evaluate/apiextensions/custom-resource-definition.ts':
        'calls jsonEqual; treats empty and missing lists as equal',
      'schema/src/model/initial-values.ts': 'compares JavaScript values, whose prototypes matter',
    },
  },
  {
    rule: 'a copy of a JSON value',
    home: 'json/json-value.ts',
    copy: /function \w+<T>\(\w+: T(?:, [^)]*)?\): T\b/,
    except: { 'schema/src/sample/sample-objects.ts': 'copies a value without one of its fields' },
  },
  {
    rule: 'the definition of a JSON object',
    home: 'json/json-value.ts',
    copy: /interface JsonObject\b|type JsonObject =|: unknown\): \w+ is (?:JsonObject|Members|(?:Readonly<)?Record<string, unknown>)/,
    except: { 'schema/src/validator/class-validator.ts': 'calls isJsonObject; instances of classes are not maps' },
  },
  { rule: 'numbers of JSON that JavaScript cannot represent', home: 'json/exact-json.ts', copy: /\brawJSON\b/ },
  {
    rule: 'the escape sequences of JSON',
    home: 'json/json-escape.ts',
    copy: /`\\\\u\$\{\w+\.charCodeAt|\\u2029\\ufeff\\ufffe/,
  },
  { rule: 'the bytes of JSON syntax', home: 'json/json-scan.ts', copy: /const \w+ = 0x(?:7b|7d|5b|5d)\b/ },
  {
    rule: 'the order of strings',
    home: 'go-format/go-format.ts',
    copy: /function (?:by|compare|order)\w*\(\w+: string, \w+: string\): number|Buffer\.compare\(/,
    except: {
      'cli/src/upgrade/framework-version.ts': 'sorts versions of packages by Semantic Versioning',
      'core/src/kind/version-priority.ts': 'sorts versions of APIs (v1 before v1beta1)',
      'runtime/src/cache/resource-version.ts': 'sorts numbers that are written as strings',
    },
  },
  {
    rule: "Go's type names of JSON values",
    home: 'go-format/go-format.ts',
    copy: /return '\[\]interface \{\}'/,
  },
  { rule: "Go's durations", home: 'go-format/go-duration.ts', copy: /time: invalid duration|\['µs'/ },
  {
    rule: 'semantic versions',
    home: 'go-format/semantic-version.ts',
    copy: /must not contain leading zeroes|\[0-9A-Za-z\.-\]\+|No Major\.Minor/,
  },
  { rule: "Go's form of a map", home: 'go-format/go-format.ts', copy: /`map\[\$\{/ },
  { rule: "Go's structs", home: 'go-format/go-format.ts', copy: /class Go\w+/ },
  { rule: "Go's `%q`", home: 'go-format/go-format.ts', copy: /function goQuote\b|`\\\\x\$\{hex\(/ },
  {
    rule: 'printable characters in Go',
    home: 'go-format/go-format.ts',
    copy: /\\p\{C\}\\p\{Z\}|\\p\{L\}\\p\{M\}\\p\{N\}\\p\{P\}/,
  },
  {
    rule: 'field errors',
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
    rule: 'the errors of a name',
    home: 'names/names.ts',
    copy: /must be no more than \$\{|must consist of lower case/,
    except: { 'apiserver/src/strategy/batch/cron-job-validation.ts': 'a limit that only CronJobs have' },
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
    rule: 'quantities',
    home: 'quantity/quantity.ts',
    copy: /\['Ki'|quantities must match/,
  },
  {
    rule: 'label selectors',
    home: 'selector/label-selector.ts',
    copy: /function matchesLabels\b|case 'DoesNotExist':|interface LabelSelectorSpec/,
  },
  {
    rule: 'the permissions of a role rule',
    home: 'rbac/policy-rule.ts',
    copy: /interface PolicyRule\b|function ruleAllows\b|nonResourceURLs \?\? \[\]\)\.some/,
    except: {
      'apiserver/src/authorization/rule-coverage.ts': 'compares rules with rules, in which wildcards are values too',
    },
  },
  {
    rule: 'the Status of a rejected request',
    home: 'status/api-status.ts',
    copy: /interface (?:ApiStatus|StatusCause)\b/,
  },
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
