import { compilePattern, type Pattern } from '../../regular-expression/pattern.ts';
import { goJson, goQuote, isInt64, type JsonObject, valueAt } from '../apimachinery.ts';
import { codePointCount } from '../code-points.ts';
import { enforcedFormat, type TextFormat, textFormat } from '../format/text-format.ts';
import { checkDepth } from '../nesting.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { compileBranchCheck } from './branch-check.ts';
import type { Correlation } from './correlation.ts';
import { compileTypeCheck } from './json-type-check.ts';
import { repeated } from './list-type.ts';
import { compileNumberCheck } from './number-check.ts';
import type { ValidationResult } from './validation-result.ts';
import type { ValueCheck } from './value-check.ts';

/**
 * How a schema is read: for custom resources or for default values. For default values, formats that the API server does
 * not know still affect type checks, int-or-string imposes no type, and conditions do not forbid properties:
 * `additionalProperties: false` is dropped from their branches.
 */
export type SchemaReading = 'object' | 'default' | 'branch-of-default';

/**
 * Compiles value validations into closures, each schema once at its first use. Messages, order and quirks are those of
 * kube-openapi pkg/validation/validate as Kubernetes 1.36 uses it. If that iterates over a map in random order, the object's
 * order is used.
 */
export class ValueCheckCompiler {
  readonly reading: SchemaReading;
  readonly #checks = new Map<StructuralSchema, ValueCheck>();
  /** The compiler for the branches of conditions. */
  readonly #ofBranches: ValueCheckCompiler;

  constructor(reading: SchemaReading) {
    this.reading = reading;
    this.#ofBranches = reading === 'default' ? new ValueCheckCompiler('branch-of-default') : this;
  }

  checkOf(schema: StructuralSchema): ValueCheck {
    let check = this.#checks.get(schema);
    if (check === undefined) {
      check = this.#compile(schema);
      this.#checks.set(schema, check);
    }
    return check;
  }

  #compile(schema: StructuralSchema): ValueCheck {
    const isIntOrString = this.reading === 'object' && schema['x-kubernetes-int-or-string'] === true;
    const types = isIntOrString ? ['integer', 'string'] : schema.type ? [schema.type] : [];
    const format = this.reading === 'object' ? enforcedFormat(schema.format ?? '', types) : (schema.format ?? '');
    const hasTypeCheck = types.length > 0 || format !== '';
    const checkType = compileTypeCheck(types, schema.nullable === true, format);
    const checkBranches = compileBranchCheck(schema, (branch) => this.#ofBranches.checkOf(branch));
    const checkText = compileTextCheck(schema, format);
    const checkNumber = compileNumberCheck(schema, types);
    const checkItems = compileItemsCheck(schema, this);
    const checkEnum = compileEnumCheck(schema);
    const checkKeys = compileKeysCheck(schema, this);

    // The counts are those of upstream's Result.Inc: one for each validator that applies, and more in some of them.
    return (value, path, result, correlation, depth) => {
      const before = result.errors.length;
      if (value === null) {
        if (checkType(null, path, result)) result.matchCount++;
        checkEnum?.(null, path, result);
      } else {
        checkDepth(depth);
        result.matchCount += 4;
        if (hasTypeCheck) result.matchCount += checkType(value, path, result) ? 2 : 1;
        checkBranches?.(value, path, result, undefined, depth);
        if (typeof value === 'string') checkText(value, path, result);
        if (typeof value === 'number' || typeof value === 'bigint') {
          result.matchCount += 2;
          checkNumber?.(value, path, result);
        }
        const isList = Array.isArray(value);
        if (isList) checkItems(value, path, result, correlation, depth);
        checkEnum?.(value, path, result);
        if (typeof value === 'object' && !isList) checkKeys(value as JsonObject, path, result, correlation, depth);
      }
      if (correlation !== undefined && result.errors.length > before && correlation.isUnchanged()) {
        result.forgive(before);
      }
    };
  }
}

function compileItemsCheck(schema: StructuralSchema, compiler: ValueCheckCompiler): ValueCheck<readonly unknown[]> {
  const { items, minItems, maxItems, uniqueItems } = schema;
  let checkItem: ValueCheck | undefined;
  return (value, path, result, correlation, depth) => {
    result.matchCount += 2;
    if (items !== undefined) {
      checkItem ??= compiler.checkOf(items);
      for (let i = 0; i < value.length; i++) {
        checkItem(value[i], `${path}[${i}]`, result, correlation?.index(i), depth + 1);
      }
    }
    if (minItems !== undefined && value.length < minItems) {
      result.invalid(path, value.length, `${path} in body should have at least ${minItems} items`);
    }
    if (maxItems !== undefined && value.length > maxItems) result.tooMany(path, value.length, maxItems);
    if (uniqueItems === true && repeated(value).length > 0) {
      result.invalid(path, '', `${path} in body shouldn't contain duplicates`);
    }
  };
}

function compileKeysCheck(schema: StructuralSchema, compiler: ValueCheckCompiler): ValueCheck<JsonObject> {
  const { minProperties, maxProperties, additionalProperties } = schema;
  const properties = new Map(Object.entries(schema.properties ?? {}));
  const checks = new Map<string, ValueCheck>();
  const required = schema.required ?? [];
  const countsKeys = minProperties !== undefined || maxProperties !== undefined;
  const refusesUnknown = additionalProperties === false && compiler.reading !== 'branch-of-default';
  const additional = typeof additionalProperties === 'object' ? additionalProperties : undefined;

  const checkOf = (name: string): ValueCheck | undefined => {
    let check = checks.get(name);
    const property = check === undefined ? properties.get(name) : undefined;
    if (property !== undefined) {
      check = compiler.checkOf(property);
      checks.set(name, check);
    }
    return check;
  };

  return (value, path, result, correlation, depth) => {
    result.matchCount++;
    if (countsKeys) {
      const count = Object.keys(value).length;
      if (minProperties !== undefined && count < minProperties) {
        result.invalid(path, count, `${path} in body should have at least ${minProperties} properties`);
      }
      if (maxProperties !== undefined && count > maxProperties) result.tooMany(path, count, maxProperties);
    }
    for (const key in value) {
      const child = value[key];
      if (child === undefined) continue;
      const check = checkOf(key);
      if (check !== undefined) {
        const name = path === '' ? key : `${path}.${key}`;
        check(child, name, result, correlationOf(correlation, path, key), depth + 1);
      } else if (refusesUnknown) {
        result.invalid(path, key, `${path}.${key} in body is a forbidden property`);
      } else if (additional !== undefined) {
        const name = `${path}.${key}`;
        compiler.checkOf(additional)(child, name, result, correlationOf(correlation, path, key), depth + 1);
      }
    }
    for (const name of required) {
      if (valueAt(value, name) === undefined) result.required(`${path}.${name}`);
    }
  };
}

/** Errors of the root's apiVersion and kind are never ignored: old and new were converted to the same version. */
function correlationOf(parent: Correlation | undefined, path: string, key: string): Correlation | undefined {
  if (parent === undefined || (path === '' && (key === 'apiVersion' || key === 'kind'))) return undefined;
  return parent.key(key);
}

type TextCheck = (value: string, path: string, result: ValidationResult) => void;

/** Checks the length, then the pattern, and reports only the first failure; the format is checked separately. */
function compileTextCheck(schema: StructuralSchema, format: string): TextCheck {
  const { maxLength, minLength, pattern } = schema;
  const checkFormat: TextFormat | undefined = textFormat(format);
  const matchCount = checkFormat === undefined ? 1 : 2;
  let compiled: Pattern | string | undefined;
  let effort = 0;
  const patternFailure = (value: string, result: ValidationResult): string | undefined => {
    if (pattern === undefined || pattern === '') return undefined;
    if (compiled === undefined) {
      compiled = compilePattern(pattern);
      effort = typeof compiled === 'string' ? 0 : compiled.programSize() / matchesInUnit;
    }
    if (typeof compiled === 'string') return `${pattern}, but pattern is invalid: ${compiled}`;
    result.spend(matchEffort + effort * value.length);
    return compiled.matcher(value).find() ? undefined : pattern;
  };
  return (value, path, result) => {
    result.matchCount += matchCount;
    if (maxLength !== undefined && isLonger(value, maxLength)) {
      result.tooLong(path, maxLength);
    } else if (minLength !== undefined && isShorter(value, minLength)) {
      result.invalid(path, value, `${path} in body should be at least ${minLength} chars long`);
    } else {
      const failure = patternFailure(value, result);
      if (failure !== undefined) result.invalid(path, value, `${path} in body should match '${failure}'`);
    }
    if (checkFormat !== undefined && !checkFormat(value)) {
      result.typeInvalid(path, value, `${path} in body must be of type ${format}: ${goQuote(value)}`);
    }
  };
}

/** The fixed cost of a match. */
const matchEffort = 20;
/** The number of steps of a pattern's program on one character that count as one unit of effort. */
const matchesInUnit = 4;

/** Lengths count code points. A string has at most as many as UTF-16 units, and at least half as many. */
function isLonger(text: string, max: number): boolean {
  return text.length > max && (text.length > 2 * max || codePointCount(text) > max);
}

function isShorter(text: string, min: number): boolean {
  return text.length < 2 * min && (text.length < min || codePointCount(text) < min);
}

type EnumCheck = (value: unknown, path: string, result: ValidationResult) => void;

/**
 * The values of an enum with Go's conversions between them: 1.5 matches 1, and 97 matches "a"
 * (`basicCommonValidator` of kube-openapi pkg/validation/validate/validator.go).
 */
function compileEnumCheck(schema: StructuralSchema): EnumCheck | undefined {
  const values = schema.enum ?? [];
  if (values.length === 0) return undefined;
  const texts = new Set(values.filter((value) => typeof value === 'string'));
  const integers = new Set(values.filter(isInt64).map(BigInt));
  const others = new Set(
    values.filter((value) => typeof value !== 'string' && value !== null).map((value) => goJson(value)),
  );
  const supported = values.map((value) => (typeof value === 'string' ? value : goJson(value)));
  const size = supported.reduce((sum, { length }) => sum + length + 4, 0);
  const isListed = (value: unknown): boolean => {
    if (typeof value === 'string') return texts.has(value);
    if (value === null) return false;
    if (isInt64(value)) return integers.has(BigInt(value)) || texts.has(textOfCode(value));
    if (typeof value === 'number' && Math.abs(value) < 2 ** 63 && integers.has(BigInt(Math.trunc(value)))) return true;
    return others.has(goJson(value));
  };
  return (value, path, result) => {
    if (isListed(value)) return;
    result.spend(size);
    result.notSupported(path, value, supported);
  };
}

/** The string that Go creates from an integer. */
function textOfCode(code: number | bigint): string {
  return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(Number(code)) : '\ufffd';
}
