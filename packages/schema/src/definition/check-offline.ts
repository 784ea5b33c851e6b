import { type FieldError, fieldErrorBody } from '@evenkeel/apimachinery/field-error';
import { GoStruct } from '@evenkeel/apimachinery/go-format';
import { copyJson } from '@evenkeel/apimachinery/json';
import { didYouMean } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import {
  type CustomResourceDefinition as DecodedDefinition,
  isSchemaList,
  type JsonSchemaProps,
} from '../evaluate/apiextensions/custom-resource-definition.ts';
import { defaultCustomResourceDefinition } from '../evaluate/apiextensions/default-crd.ts';
import { unrecognizedFormats } from '../evaluate/apiextensions/unrecognized-formats.ts';
import { validateCustomResourceDefinition } from '../evaluate/apiextensions/validate-crd.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { Finding } from '../finding/finding.ts';
import type { ApiClass, PropertyType } from '../model/api-class.ts';
import { shown } from '../resource-options/option-reader.ts';
import { escapeHint } from './escape-hint.ts';
import type { ClassVersion } from './merge-versions.ts';
import { fixOfRejection } from './rejection-fix.ts';
import { ruleAuthor } from './rule-author.ts';
import { limitsForRule, limitsMissingFor } from './rule-budget.ts';
import { classOf, type SchemaPlace, schemaPlace } from './schema-place.ts';

/**
 * Checks a CRD against the API server's own rules before any file is written. A violation is reported with the class and
 * the property that caused it, and with the fix. A property of unknown type, which is already reported, hides no other
 * violation.
 */
export function checkOffline(definition: CustomResourceDefinition, versions: readonly ClassVersion[]): void {
  const decoded = copyJson(definition) as unknown as DecodedDefinition;
  defaultCustomResourceDefinition(decoded);
  const hasUnknown = versions.map(({ root }, i) => {
    const schema = decoded.spec?.versions?.[i]?.schema?.openAPIV3Schema;
    return schema !== undefined && leaveUnknownOpen({ is: 'object', class: root }, schema);
  });
  reportFormats(decoded, versions);
  const errors = allErrors(copyJson(decoded), versions);
  const isCostly = new Set(errors.filter(isRuleCost).map(({ field }) => field));
  for (const error of errors) {
    const places = placesOf(error.field, versions, decoded);
    for (const { index, at } of places) {
      const version = versions[index];
      if (version === undefined || (hasUnknown[index] === true && isOfUnknown(error))) continue;
      // The decorator's arguments were checked when it was read, but its default and its rule were not.
      // A rule that does not compile is reported at its own place.
      if (isDefault(error) && /^rule compile(?:r initialization)? error/.test(error.detail)) continue;
      const isRepeated = ({ code }: Finding) => code === 'refused-by-api-server' || error.type === 'NotSupported';
      const found = ruleFindings(error, at, version.root, isCostly) ?? [schemaFinding(error, at, version.root)];
      version.findings.push(...found.filter((finding) => !isRepeated(finding) || !isReported(at, version)));
    }
    const version = versions[versionIndex(error.field)];
    if (places.length > 0 || version === undefined || isFieldReported(error, version)) continue;
    version.findings.push(ofNames(error, version.root));
  }
}

/** The API server accepts unknown formats, warns about each one, and does not enforce them. */
function reportFormats(decoded: DecodedDefinition, versions: readonly ClassVersion[]): void {
  const [version] = versions;
  for (const format of new Set(unrecognizedFormats(decoded))) {
    const isKnown = versions.some(({ findings }) => findings.some(({ message }) => message.includes(`"${format}"`)));
    if (isKnown) continue;
    version?.report.notice(
      'inexact-constraint',
      `the API server does not know the format ${shown(format)}: it prints a warning and does not enforce it; use a pattern, or remove the format`,
    );
  }
}

/**
 * All errors of a definition, including those that the API server finds only after others are fixed. After each pass the
 * part that an error is about is removed from `decoded`, until a pass finds nothing new.
 */
function allErrors(decoded: DecodedDefinition, versions: readonly ClassVersion[]): FieldError[] {
  const found = new Map<string, FieldError>();
  for (let isFirst = true; ; isFirst = false) {
    const added: FieldError[] = [];
    for (const error of validateCustomResourceDefinition(decoded)) {
      const key = `${error.field} ${error.detail}`;
      // Later passes count only errors that can have been hidden: removing a keyword may make other keywords invalid.
      if (found.has(key) || !(isFirst || isDefault(error) || isRule(error))) continue;
      found.set(key, error);
      added.push(error);
    }
    const removed = added.filter((error) => {
      const places = placesOf(error.field, versions, decoded);
      return places.map(({ at }) => removeKeyword(at)).includes(true);
    });
    if (removed.length === 0) return [...found.values()];
  }
}

/** Whether a rule refers to a property whose type is unknown. */
function isOfUnknown({ detail }: FieldError): boolean {
  return /undefined field|unable to convert structural schema to CEL declarations/.test(detail);
}

function isDefault({ field }: FieldError): boolean {
  return /\.default(?:[.[]|$)/.test(field);
}

function isRule({ field }: FieldError): boolean {
  return field.includes('.x-kubernetes-validations');
}

const keywordsThatMatter = ['type', 'properties', 'items', 'additionalProperties', 'x-kubernetes-validations'];

/** Removes the keyword that an error is about from the schema. Returns false if no keyword can be removed. */
function removeKeyword({ innermost, rest }: SchemaPlace): boolean {
  const [, keyword = '', index] = /^\.([^.[]+)(?:\[(\d+)\])?/.exec(rest) ?? [];
  const schema = innermost.schema as Record<string, unknown>;
  if (keyword === 'x-kubernetes-validations' && index !== undefined) {
    const rules = innermost.schema['x-kubernetes-validations'] as unknown[] | undefined;
    // The other rules must keep their indexes.
    if (rules?.[Number(index)] !== undefined) rules[Number(index)] = { rule: 'true' };
    return true;
  }
  if (keywordsThatMatter.includes(keyword) || !Object.hasOwn(schema, keyword)) return false;
  delete schema[keyword];
  return true;
}

/** Lets a schema without a type accept any value. An error has been reported for its property. */
function leaveUnknownOpen(type: PropertyType, schema: JsonSchemaProps['items'] | boolean): boolean {
  // Classes may be recursive; the schemas written for them are finite.
  if (typeof schema !== 'object' || isSchemaList(schema)) return false;
  switch (type.is) {
    case 'unknown':
      if (schema.type !== undefined) return false;
      schema['x-kubernetes-preserve-unknown-fields'] = true;
      return true;
    case 'array':
      return leaveUnknownOpen(type.items, schema.items);
    case 'map':
      return leaveUnknownOpen(type.values, schema.additionalProperties);
    default:
      return (classOf(type)?.properties ?? [])
        .map((property) => leaveUnknownOpen(property.type, schema.properties?.[property.name]))
        .includes(true);
  }
}

const schemaPath = /^spec\.(?:validation|versions\[(\d+)\]\.schema)\.openAPIV3Schema/;

interface Place {
  /** Of the version. */
  readonly index: number;
  readonly at: SchemaPlace;
}

/**
 * The places of an error in the classes. An error in a schema that all versions share has a place in each version. Empty if
 * the error is outside of the schemas.
 */
function placesOf(field: string, versions: readonly ClassVersion[], decoded: DecodedDefinition): Place[] {
  const [prefix, number] = schemaPath.exec(field) ?? [];
  if (prefix === undefined) return [];
  return versions.flatMap(({ root }, index) => {
    const schema = decoded.spec?.versions?.[index]?.schema?.openAPIV3Schema;
    if (schema === undefined || (number !== undefined && Number(number) !== index)) return [];
    return [{ index, at: schemaPlace(field.slice(prefix.length), root, schema as StructuralSchema) }];
  });
}

function versionIndex(field: string): number {
  return Number(/^spec\.versions\[(\d+)\]/.exec(field)?.[1] ?? 0);
}

/** Whether an error in the path of a selectable field has been reported. */
function isFieldReported({ field, badValue }: FieldError, { findings }: ClassVersion): boolean {
  if (!/selectableFields\[\d+\]/.test(field)) return false;
  return findings.some(({ message }) => message.startsWith(`@SelectableField('${String(badValue)}')`));
}

/** Whether an error in a decorator of the property, or of the property that contains it, has been reported. */
function isReported({ steps }: SchemaPlace, { findings }: ClassVersion): boolean {
  const properties = [...new Set(steps.map(({ property }) => property))].slice(-2);
  return properties.some((property) =>
    findings.some(
      (finding) =>
        ['invalid-option', 'unknown-option', 'conflicting-types'].includes(finding.code) &&
        finding.property === property?.name &&
        finding.className === property?.className,
    ),
  );
}

/** An error outside of the schema: names, scope, annotations. */
function ofNames(error: FieldError, { name, location }: ApiClass): Finding {
  return {
    level: 'error',
    code: 'refused-by-api-server',
    className: name,
    ...(location === undefined ? {} : { location }),
    message: rejection(error),
  };
}

function schemaFinding(error: FieldError, { innermost }: SchemaPlace, root: ApiClass): Finding {
  const { property, schema } = innermost;
  const isOfDefault = isDefault(error) && property !== undefined && schema.default !== undefined;
  const location = property === undefined ? (innermost.class ?? root).location : property.location;
  const fix = fixOfRejection(error) ?? 'change the default, or the type and the decorators of the property';
  return {
    level: 'error',
    code: isOfDefault ? 'invalid-default' : 'refused-by-api-server',
    className: property?.className ?? (innermost.class ?? root).name,
    ...(property === undefined ? {} : { property: property.name }),
    ...(location === undefined ? {} : { location }),
    message: isOfDefault
      ? `its default ${shown(schema.default)} violates its own schema: ${detailOf(error)}; ${fix}`
      : rejection(error),
  };
}

function rejection(error: FieldError): string {
  const fix = fixOfRejection(error);
  const words = fieldErrorBody({ ...error, detail: detailOf(error) });
  return `the API server would reject the CRD: ${words} (${error.field})${fix === undefined ? '' : `; ${fix}`}`;
}

/** The API server's message about a value, without "in body" and without the value, which the finding shows already. */
function detailOf({ detail }: FieldError): string {
  return detail
    .trim()
    .replace(/^(\S+ )?in body /, '$1')
    .replace(/^((?:\S+ )?must be of type \w+): "\w+"$/, '$1')
    .replace(/^Checked value (must be of type \w+) \(default format\).*$/, '$1');
}

function isRuleCost({ detail }: FieldError): boolean {
  return /^estimated \w+ cost exceeds budget/.test(detail);
}

/** The findings for an error of a rule. Returns undefined if the error is about something else. */
function ruleFindings(
  error: FieldError,
  place: SchemaPlace,
  root: ApiClass,
  isCostly: ReadonlySet<string>,
): Finding[] | undefined {
  const [, number] = /^\.x-kubernetes-validations\[(\d+)\]/.exec(place.rest) ?? [];
  const isTotal = /estimated rule cost total for entire OpenAPIv3 schema exceeds/.test(error.detail);
  // Each expensive rule has its own finding.
  if (isTotal) return isCostly.size > 0 ? [] : undefined;
  const index = Number(number);
  const rule = number === undefined ? undefined : place.innermost.schema['x-kubernetes-validations']?.[index];
  if (rule === undefined) return undefined;
  const { text, className, property, location } = ruleAuthor(rule, place.innermost, root);
  const finding = (code: Finding['code'], message: string): Finding[] => [
    {
      level: 'error',
      code,
      className,
      ...(property === undefined ? {} : { property }),
      ...(location === undefined ? {} : { location }),
      message,
    },
  ];
  const isMessage = /\.messageExpression$/.test(error.field);
  const what = isMessage ? `the messageExpression of ${text}` : text;
  if (isRuleCost(error)) {
    const [, factor] = /by factor of (.*?)x/.exec(error.detail) ?? [];
    return finding(
      'expensive-rule',
      isMessage
        ? `${what} costs ${factor} times what the API server allows; limit the values that it reads, or simplify it`
        : `${text} costs ${factor} times what the API server allows one rule; ${limitsText(limitsForRule(place, index))}`,
    );
  }
  if (/^contributed to estimated rule cost total/.test(error.detail)) {
    if (isCostly.has(error.field)) return [];
    return finding(
      'expensive-rule',
      `${text} costs too much together with the other rules of the CRD; ${limitsText(limitsMissingFor(place, index))}`,
    );
  }
  if (error.badValue instanceof GoStruct) {
    const expression = isMessage ? (rule.messageExpression ?? '') : rule.rule;
    return finding('invalid-rule', `${what} does not compile: ${compileProblem(error.detail, expression, place)}`);
  }
  const fix = fixOfRejection(error);
  return finding('invalid-rule', `${text}: ${fieldErrorBody(error)}${fix === undefined ? '' : `; ${fix}`}`);
}

function limitsText(limits: readonly string[] | undefined): string {
  if (limits === undefined || limits.length === 0) return 'simplify the rule, or check this in the operator';
  return `limit the values that it reads (${limits.join(', ')}), or simplify it`;
}

/** The first line of cel-go's error, without its source excerpt, with the position in the rule and, if known, a fix. */
function compileProblem(detail: string, expression: string, { innermost }: SchemaPlace): string {
  if (/must evaluate to a bool$/.test(detail)) return `${detail}; compare it with something, such as "self.size > 0"`;
  if (/must evaluate to a string$/.test(detail)) return `${detail}; convert it with string(...)`;
  const [, column, problem = detail] = /ERROR: <input>:\d+:(\d+): ([^\n]*)/.exec(detail) ?? [];
  const at = column === undefined ? '' : ` (at character ${column})`;
  const hint = escapeHint(expression, innermost.schema);
  if (hint !== '') return `${problem}${at}${hint}`;
  const properties = Object.keys(innermost.schema.properties ?? {});
  const [, field] = /undefined field '([^']*)'/.exec(problem) ?? [];
  if (field !== undefined) return `${problem}${at}${didYouMean(field, properties)}`;
  const [, name] = /undeclared reference to '([^']*)'/.exec(problem) ?? [];
  if (name === undefined) return `${problem}${at}`;
  const meant = properties.includes(name) ? `; write self.${name}` : didYouMean(name, ['self', 'oldSelf']);
  return `undeclared reference to '${name}'${at}${meant}`;
}
