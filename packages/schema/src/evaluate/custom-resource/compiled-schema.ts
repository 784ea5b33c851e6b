import { addErrors, type FieldError, forbidden, invalid, isJsonObject, valueAt } from '../apimachinery.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { CelRules } from './cel-rules.ts';
import { Correlation } from './correlation.ts';
import { dropNulls, setDefaults } from './defaulting.ts';
import { EffortError } from './effort.ts';
import { embeddedMismatch, validateEmbedded } from './embedded-resource.ts';
import { duplicateItems } from './list-type.ts';
import { prune } from './pruning.ts';
import { type ScalePaths, validateScale } from './scale-values.ts';
import { SchemaNode } from './schema-node.ts';
import { ValidationResult } from './validation-result.ts';
import { ValueCheckCompiler } from './value-check-compiler.ts';

export interface ValidateOptions {
  /** The stored object of an update. Errors of unchanged values are ignored, and rules may compare with `oldSelf`. */
  readonly old?: unknown;
  /** Whether this is a write of the status subresource: only `.status` is checked against the schema, but all rules run. */
  readonly isStatus?: boolean;
  /** Is called with violated rules that are ignored because the value is unchanged. */
  readonly onWarning?: (message: string) => void;
  /** Errors found before, such as those of metadata. They come first, and some kinds prevent rules from running. */
  readonly found?: readonly FieldError[];
}

/**
 * A schema that can default, prune and validate objects as the API server does with custom resources. Everything below
 * the root is compiled at its first use. It has no state of objects, so any number of callers can share it.
 *
 * Values are plain JSON. Numbers with an integral value are integers (1.0 is 1); integers that JavaScript cannot represent
 * may be bigint. All operations throw a LimitError: NestingDepthError for values that nest too deeply, EffortError if
 * defaults would make a small object large.
 */
export interface CompiledSchema {
  readonly schema: StructuralSchema;

  /**
   * Removes nulls of fields that are neither nullable nor have a default, then sets the defaults of missing fields and of
   * the remaining nulls. Changes `value` in place; defaults are copied. With `keepsNulls`, only the defaults are set.
   */
  default(value: unknown, options?: { readonly keepsNulls?: boolean }): void;

  /** Removes nulls of fields that are neither nullable nor have a default. Changes `value` in place. */
  dropNulls(value: unknown): void;

  /**
   * Removes fields that the schema does not specify, except apiVersion, kind and metadata of the root. Changes `value` in
   * place. Returns the sorted paths of the removed fields.
   */
  prune(value: unknown): string[];

  /**
   * All errors that the API server would find, in its order (schema, scale, embedded resources, list types, rules) and with
   * its messages, after those in `found`. The metadata of the object is not checked. The object is not changed. If schema
   * and object together need too much work, the result is the first errors and an error about the work.
   */
  validate(value: unknown, options?: ValidateOptions): FieldError[];

  /**
   * The first apiVersion, kind or metadata of an embedded resource that has the wrong type. The server cannot decode such an
   * object, and does not validate it.
   */
  mismatch(value: unknown): FieldError | undefined;
}

export interface CompileOptions {
  /** The paths of the kind's scale subresource, whose values are then validated too. Default: none. */
  readonly scale?: ScalePaths;
}

/** Prepares a schema. It must not be changed afterwards. */
export function compileSchema(schema: StructuralSchema, options: CompileOptions = {}): CompiledSchema {
  return new SchemaEvaluator(schema, options.scale);
}

class SchemaEvaluator implements CompiledSchema {
  readonly schema: StructuralSchema;
  readonly #root: SchemaNode;
  readonly #checks = new ValueCheckCompiler('object');
  readonly #scale: ScalePaths | undefined;
  readonly #rules: CelRules | undefined;

  constructor(schema: StructuralSchema, scale: ScalePaths | undefined) {
    this.schema = schema;
    this.#scale = scale;
    this.#root = new SchemaNode(schema);
    if (this.#root.reaches('rule')) this.#rules = new CelRules(this.#root, true);
  }

  default(value: unknown, options: { readonly keepsNulls?: boolean } = {}): void {
    if (options.keepsNulls !== true) this.dropNulls(value);
    setDefaults(value, this.#root);
  }

  dropNulls(value: unknown): void {
    dropNulls(value, this.#root);
  }

  mismatch(value: unknown): FieldError | undefined {
    return embeddedMismatch(value, this.#root, '', false)[0];
  }

  prune(value: unknown): string[] {
    return prune(value, this.#root, true);
  }

  validate(value: unknown, { old, isStatus = false, found = [], onWarning }: ValidateOptions = {}): FieldError[] {
    const correlation = old === undefined ? undefined : new Correlation(value, old, this.schema);
    const errors = [...found];
    const result = new ValidationResult(isStatus ? 'status' : '');
    try {
      if (isStatus) this.#checkStatus(value, correlation, result);
      else this.#checks.checkOf(this.schema)(value, '', result, correlation, 0);
    } catch (error) {
      if (!(error instanceof EffortError)) throw error;
      return [...errors, ...result.errors.slice(0, maxToldErrors), forbidden('', error.message)];
    }
    addErrors(errors, result.errors);
    if (this.#scale !== undefined) addErrors(errors, validateScale(value, this.#scale, isStatus));
    if (!isStatus) addErrors(errors, validateEmbedded(value, this.#root));
    addErrors(errors, this.#checkLists(value, old));
    if (this.#rules === undefined) return errors;
    const unchecked = rulesNotChecked(errors);
    if (unchecked !== undefined) errors.push(unchecked);
    else addErrors(errors, this.#rules.validate({ value, old, correlation, warn: onWarning }));
    return errors;
  }

  #checkStatus(value: unknown, correlation: Correlation | undefined, result: ValidationResult): void {
    const status = isJsonObject(value) ? valueAt(value, 'status') : undefined;
    const schema = this.#root.properties.get('status')?.schema;
    if (status === undefined || schema === undefined) return;
    this.#checks.checkOf(schema)(status, '', result, correlation?.key('status'), 1);
  }

  /** Duplicates are ignored on update if the old object had any. */
  #checkLists(value: unknown, old: unknown): readonly FieldError[] {
    const duplicates = duplicateItems(value, this.#root);
    if (duplicates.length === 0 || old === undefined) return duplicates;
    return duplicateItems(old, this.#root).length > 0 ? [] : duplicates;
  }
}

/** The number of errors that are reported for an object whose check was aborted. */
const maxToldErrors = 100;

const blocking: ReadonlySet<FieldError['type']> = new Set([
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
]);

/** The error that replaces the rules if previous errors prevent them from running. */
function rulesNotChecked(errors: readonly FieldError[]): FieldError | undefined {
  if (!errors.some((error) => blocking.has(error.type))) return undefined;
  const detail =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return invalid('', null, detail);
}
