import { type FieldError, invalid, notSupported, required, tooLong, tooMany, typeInvalid } from '../apimachinery.ts';
import { Effort } from './effort.ts';

/**
 * The result of checking a value against a schema: errors without duplicates, and the number of successful checks, which
 * selects the branch of an anyOf or oneOf whose errors are reported (kube-openapi pkg/validation/validate/result.go).
 *
 * Names are paths as kube-openapi builds them: a key without a property has a leading dot even at the root.
 */
export class ValidationResult {
  /** The prefix of every field: `status` if only that part is checked. */
  readonly prefix: string;
  readonly errors: FieldError[] = [];
  matchCount = 0;
  readonly #effort: Effort;
  #known: Set<string> | undefined;

  constructor(prefix: string, effort = new Effort()) {
    this.prefix = prefix;
    this.#effort = effort;
  }

  /** Adds work that is not constant for a value. Throws an EffortError. */
  spend(units: number): void {
    this.#effort.spend(units);
  }

  /** A separate result for a branch of the same object. */
  branch(): ValidationResult {
    this.#effort.spend(branchEffort);
    return new ValidationResult(this.prefix, this.#effort);
  }

  merge(other: ValidationResult): void {
    for (const error of other.errors) this.#add(error);
    this.matchCount += other.matchCount;
  }

  /** Removes all errors except the first `count`. */
  forgive(count: number): void {
    for (const error of this.errors.splice(count)) this.#known?.delete(keyOf(error));
  }

  required(name: string): void {
    this.#add(required(this.#field(name)));
  }

  invalid(name: string, value: unknown, message: string): void {
    this.#add(invalid(this.#field(name), value, message));
  }

  typeInvalid(name: string, value: unknown, message: string): void {
    this.#add(typeInvalid(this.#field(name), value, message));
  }

  notSupported(name: string, value: unknown, supported: readonly string[]): void {
    this.#add(notSupported(this.#field(name), value, supported));
  }

  tooLong(name: string, max: number): void {
    this.#add(tooLong(this.#field(name), max));
  }

  tooMany(name: string, actual: number, max: number): void {
    this.#add(tooMany(this.#field(name), actual, max));
  }

  /** An error that upstream does not attribute to a field, although its message names one. */
  unattributed(message: string): void {
    this.#add(invalid(this.prefix, '', message));
  }

  #field(name: string): string {
    const trimmed = name.startsWith('.') ? name.slice(1) : name;
    if (trimmed === '') return this.prefix;
    return this.prefix === '' ? trimmed : `${this.prefix}.${trimmed}`;
  }

  #add(error: FieldError): void {
    this.#effort.spend(errorEffort + error.field.length + error.detail.length);
    const key = keyOf(error);
    this.#known ??= new Set();
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.errors.push(error);
  }
}

/** The cost of an error besides its strings. */
const errorEffort = 100;
/** The cost of a branch, which needs a result and calls some closures. */
const branchEffort = 5;

function keyOf({ type, field, detail }: FieldError): string {
  return `${type} ${field}\0${detail}`;
}
