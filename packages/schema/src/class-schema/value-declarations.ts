import { copyJson } from '@evenkeel/apimachinery/json';
import type {
  BoundDeclaration,
  ErrorCode,
  PropertyDeclaration,
  RuleDeclaration,
  SchemaKeywords,
  SharedSchemaDeclaration,
} from '@evenkeel/core';
import { applyConstraints, elementsOf, type ReportInexact } from '../constraints/apply-constraints.ts';
import { decoratorName } from '../constraints/constraint-metadata.ts';
import { contradictionIn, KeywordOrigins } from '../constraints/contradictions.ts';
import { selectors } from '../constraints/value/strings.ts';
import { escapeFieldName } from '../evaluate/cel/value/field-name.ts';
import type { StructuralSchema, ValidationRule } from '../evaluate/structural-schema.ts';
import type { Finding } from '../finding/finding.ts';
import type { ApiValue, PropertyType } from '../model/api-class.ts';
import { nameOfDeclaration } from '../model/check-property-declarations.ts';
import { isRuleReason } from '../model/check-shared-declaration.ts';
import { writeNumberBound } from './number-bounds.ts';
import { addRules, fieldOf, fieldPathOf } from './rules.ts';

interface ValueContext {
  /** The author of the value. */
  readonly writer: 'user' | 'operator';
  /** From the doc comment. */
  readonly description?: string;
  report(level: Finding['level'], code: ErrorCode, message: string, isMinor?: boolean): void;
}

/** Writes the decorators of a value, class-validator's and Evenkeel's, into its schema, which has its type already. */
export function writeValue(
  { constraints, says }: ApiValue,
  type: PropertyType,
  schema: StructuralSchema,
  context: ValueContext,
): void {
  const origins = new KeywordOrigins();
  origins.note(schema);
  let isImpossible = false;
  if (type.is !== 'unknown') {
    const report: ReportInexact = (use, { grade, reason, mistake, ofUsersAlone = false }, other) => {
      if (grade === 'exact' || (ofUsersAlone && context.writer === 'operator')) return;
      if (mistake !== undefined) {
        isImpossible ||= mistake === 'impossible-constraint';
        const contradict = other === undefined ? '' : ` and ${other} contradict each other`;
        context.report('error', mistake, `${decoratorName(use)}${contradict}: ${reason}`);
        return;
      }
      const text = `${decoratorName(use)} ${gradeTexts[grade]}${reason === undefined ? '' : `: ${reason}`}`;
      context.report('notice', 'inexact-constraint', text, grade === 'stricter' || reason === selectors);
    };
    applyConstraints(constraints, schema, report, origins);
  }
  for (const declaration of says) {
    switch (declaration.says) {
      case 'nullable':
        schema.nullable = true;
        break;
      case 'example':
        schema.example = copyJson(declaration.value);
        break;
      case 'format':
        schema.format = declaration.format;
        break;
      case 'immutable':
        addRules(schema, [{ rule: 'self == oldSelf', message: 'field is immutable' }]);
        break;
      case 'listType':
        if (type.is === 'array') checkListType(declaration, schema, context);
        schema['x-kubernetes-list-type'] = declaration.type;
        delete schema['x-kubernetes-list-map-keys'];
        if (declaration.type === 'map') schema['x-kubernetes-list-map-keys'] = [...declaration.keys];
        break;
      case 'minProperties':
      case 'maxProperties':
        writePropertyCount(declaration, schema);
        break;
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
      case 'multipleOf':
        writeNumberBound(declaration, schema);
        break;
      case 'rule':
      case 'title':
      case 'externalDocs':
      case 'mapType':
      case 'preserveUnknownFields':
        writeShared(declaration, schema);
        break;
    }
    origins.note(schema, nameOfDeclaration(declaration));
  }
  if (!isImpossible) checkContradictions(schema, origins, context);
  if (schema.nullable === true && schema.enum !== undefined) {
    // The API server checks null against an enum, which cannot list null (kube-openapi
    // pkg/validation/validate/schema.go skips all other checks for null).
    schema.allOf = [...(schema.allOf ?? []), { enum: schema.enum }];
    delete schema.enum;
  }
  if (context.writer === 'user') boundIntegers(schema);
  if (context.description !== undefined) schema.description = context.description;
  for (const declaration of says) {
    if (declaration.says === 'schema') writeKeywords(declaration.keywords, schema);
  }
}

/** Reports decorators that no value satisfies, including those of elements; elements without decorators here are skipped. */
function checkContradictions(schema: StructuralSchema, origins: KeywordOrigins, { report }: ValueContext): void {
  const elements = elementsOf(schema);
  for (const [part, of] of [
    [schema, ''],
    [elements, 'its elements: '],
  ] as const) {
    if (part === undefined || !origins.knows(part)) continue;
    const contradiction = contradictionIn(part, origins);
    if (contradiction !== undefined) report('error', 'impossible-constraint', `${of}${contradiction}`);
  }
}

const gradeTexts = {
  looser: 'is only partly in the schema, which accepts more',
  stricter: 'is in the schema, which accepts less',
  'not-expressible': 'is not in the schema',
} as const;

/** Writes a declaration that is allowed on classes and on properties. */
export function writeShared(declaration: SharedSchemaDeclaration, schema: StructuralSchema): void {
  switch (declaration.says) {
    case 'rule': {
      const rule = soundRule(declaration);
      if (rule !== undefined) addRules(schema, [rule]);
      return;
    }
    case 'title':
      schema.title = declaration.text;
      return;
    case 'externalDocs': {
      const { says: _says, ...docs } = declaration;
      schema.externalDocs = docs;
      return;
    }
    case 'mapType':
      schema['x-kubernetes-map-type'] = declaration.type;
      return;
    case 'preserveUnknownFields':
      keepUnknown(schema);
      return;
  }
}

/** The rule without its invalid options; undefined without an expression. Both have been reported. */
function soundRule({ rule, ...options }: RuleDeclaration): ValidationRule | undefined {
  if (typeof rule !== 'string' || rule.trim() === '') return undefined;
  const { message, messageExpression, reason, fieldPath, optionalOldSelf } = options;
  return {
    rule,
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof messageExpression === 'string' ? { messageExpression } : {}),
    ...(isRuleReason(reason) ? { reason } : {}),
    ...(typeof fieldPath === 'string' ? { fieldPath } : {}),
    ...(typeof optionalOldSelf === 'boolean' ? { optionalOldSelf } : {}),
  };
}

/** In a list or a map, the elements keep unknown fields. */
function keepUnknown(schema: StructuralSchema): void {
  if (schema.items !== undefined) keepUnknown(schema.items);
  else if (typeof schema.additionalProperties === 'object') keepUnknown(schema.additionalProperties);
  else schema['x-kubernetes-preserve-unknown-fields'] = true;
}

function writePropertyCount({ says, value }: BoundDeclaration, schema: StructuralSchema): void {
  if (says === 'minProperties') schema.minProperties = Math.max(value, schema.minProperties ?? 0);
  else schema.maxProperties = Math.min(value, schema.maxProperties ?? value);
}

/**
 * The rule of the object that contains an optional immutable property: once set, it cannot be removed. Undefined if CEL
 * cannot name the property.
 */
export function onceSetRule(name: string): ValidationRule | undefined {
  if (escapeFieldName(name) === undefined) return undefined;
  return {
    rule: `!has(${fieldOf('oldSelf', name)}) || has(${fieldOf('self', name)})`,
    message: 'field is immutable: once set, it cannot be removed',
    fieldPath: fieldPathOf(name),
  };
}

const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/**
 * Limits integers to those that JavaScript can represent, because the operator would read others as their neighbours.
 * Numbers in `status` come from JavaScript, and a declared width is the user's choice. Servers before 1.36 do not enforce
 * the format `int32`.
 */
function boundIntegers(schema: StructuralSchema): void {
  if (schema.type === 'integer' && schema.enum === undefined && schema.format !== 'int64') {
    const isShort = schema.format === 'int32';
    schema.minimum ??= isShort ? int32.minimum : Number.MIN_SAFE_INTEGER;
    schema.maximum ??= isShort ? int32.maximum : Number.MAX_SAFE_INTEGER;
  }
  const elements =
    schema.items ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
  if (elements !== undefined) boundIntegers(elements);
}

/** Raw keywords replace existing ones; rules and `allOf` are added, and properties are replaced one by one. */
function writeKeywords(keywords: SchemaKeywords, schema: StructuralSchema): void {
  // A value that is not JSON has been reported.
  if (typeof keywords !== 'object' || keywords === null) return;
  const { properties, allOf, 'x-kubernetes-validations': rules, ...rest } = keywords;
  Object.assign(schema, structuredClone(rest));
  if (properties !== undefined) schema.properties = { ...schema.properties, ...structuredClone(properties) };
  if (allOf !== undefined) schema.allOf = [...(schema.allOf ?? []), ...structuredClone(allOf)];
  addRules(schema, structuredClone(rules ?? []));
}

/** Checks that `@ArrayUnique()` and `@ListType()` declare the same list type. */
function checkListType(
  declaration: Extract<PropertyDeclaration, { says: 'listType' }>,
  schema: StructuralSchema,
  context: ValueContext,
): void {
  const { 'x-kubernetes-list-type': made, 'x-kubernetes-list-map-keys': madeKeys = [] } = schema;
  const quoted = (texts: readonly string[]) => texts.map((text) => JSON.stringify(text)).join(', ');
  const said = quoted([declaration.type, ...(declaration.type === 'map' ? declaration.keys : [])]);
  if (made === undefined || quoted([made, ...madeKeys]) === said) return;
  const makes = made === 'map' ? `a "map" by ${quoted(madeKeys)}` : `a "${made}"`;
  context.report(
    'error',
    'conflicting-types',
    `@ListType(${said}) and @ArrayUnique(), which makes the list ${makes}, contradict each other; remove one of them`,
  );
}
