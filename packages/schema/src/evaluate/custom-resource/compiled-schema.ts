import { addErrors, type FieldError, forbidden, invalid, isJsonObject, valueAt } from '../apimachinery.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { CelRules } from './cel-rules.ts';
import { Correlation } from './correlation.ts';
import { dropNulls, setDefaults } from './defaulting.ts';
import { EffortError } from './effort.ts';
import { validateEmbedded } from './embedded-resource.ts';
import { duplicateItems } from './list-type.ts';
import { prune } from './pruning.ts';
import { type ScalePaths, validateScale } from './scale-values.ts';
import { SchemaNode } from './schema-node.ts';
import { ValidationResult } from './validation-result.ts';
import { ValueCheckCompiler } from './value-check.ts';

export interface ValidateOptions {
  /** The stored object, on update: errors of unchanged values are forgiven, and rules may compare with `oldSelf`. */
  readonly old?: unknown;
  /** Whether this writes the status subresource: only `.status` is checked against the schema, yet all rules run. */
  readonly isStatus?: boolean;
  /** Hears of rules that do not hold but are forgiven, because the value is unchanged. */
  readonly onWarning?: (message: string) => void;
  /** Errors found before, such as those of metadata: they come first, and some kinds keep rules from running. */
  readonly found?: readonly FieldError[];
}

/**
 * A schema ready to default, prune and validate objects as the API server does with custom resources. Everything below
 * the root is compiled when first used. It holds no state of the objects it sees: one may serve any number of callers.
 *
 * Values are plain JSON; numbers with an integral value are integers (1.0 is 1), those JavaScript cannot hold may be
 * bigint. All operations throw a LimitError: NestingDepthError for what nests too deeply, EffortError where defaults would
 * make a large object of a small one.
 */
export interface CompiledSchema {
  readonly schema: StructuralSchema;

  /**
   * Removes the nulls of fields that are neither nullable nor have a default, then sets the defaults of missing fields
   * and of nulls that are left. Changes `value` itself; defaults are copied.
   */
  default(value: unknown): void;

  /**
   * Removes what the schema does not specify; apiVersion, kind and metadata of the root stay. Changes `value` itself.
   * Returns the sorted paths of what it removed.
   */
  prune(value: unknown): string[];

  /**
   * Every error the API server would find, in its order (schema, scale, embedded resources, list types, rules), with its
   * messages, beginning with those in `found`. The metadata of the object itself is not looked at. Changes nothing.
   * Where schema and object together ask for too much work, the first errors are told, and that.
   */
  validate(value: unknown, options?: ValidateOptions): FieldError[];
}

export interface CompileOptions {
  /** The paths of the kind's scale subresource, whose values are then validated too. Default none. */
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

  default(value: unknown): void {
    dropNulls(value, this.#root);
    setDefaults(value, this.#root);
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

  /** Duplicates are forgiven on update where the old object had some, anywhere. */
  #checkLists(value: unknown, old: unknown): readonly FieldError[] {
    const duplicates = duplicateItems(value, this.#root);
    if (duplicates.length === 0 || old === undefined) return duplicates;
    return duplicateItems(old, this.#root).length > 0 ? [] : duplicates;
  }
}

/** Of an object that is not checked to its end, so many errors are told. */
const maxToldErrors = 100;

const blocking: ReadonlySet<FieldError['type']> = new Set([
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
]);

/** The error that stands for the rules where errors found before keep them from running. */
function rulesNotChecked(errors: readonly FieldError[]): FieldError | undefined {
  if (!errors.some((error) => blocking.has(error.type))) return undefined;
  const detail =
    'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
  return invalid('', null, detail);
}
