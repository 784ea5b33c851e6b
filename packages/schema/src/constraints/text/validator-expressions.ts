import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Context, createContext, runInContext } from 'node:vm';

/** A regular expression of validator.js, and its use. */
export interface ValidatorExpression {
  readonly use: 'test' | 'match' | 'replace' | 'search';
  readonly source: string;
  readonly flags: string;
}

/**
 * Returns the regular expressions that a function of validator.js applies to a string, in order. validator.js does not
 * export them and changes them with its releases, so a copy of the library runs in a separate V8 context, where the
 * methods of RegExp record their use; the program's RegExp is not changed. docs/decisions/validator-js-expressions.md has
 * the alternatives. Throws what the function throws, for instance for an unknown country.
 *
 * @param name the name that validator.js exports: `isMobilePhone`.
 * @param text the string that makes the function use its expressions: usually empty.
 */
export function validatorExpressions(
  name: string,
  text: string,
  ...parameters: readonly unknown[]
): readonly ValidatorExpression[] {
  realm ??= loadValidator();
  const { validator, seen } = realm;
  const run = validator[name];
  if (run === undefined) throw new Error(`validator.js has no ${name}`);
  seen.length = 0;
  try {
    run(text, ...parameters.map(copied));
  } catch (error) {
    // An error of the other realm is not an instance of this realm's Error.
    throw new Error((error as Partial<Error> | undefined)?.message ?? String(error));
  }
  return seen.map(({ use, source, flags }) => ({ use, source, flags }));
}

interface ValidatorRealm extends Context {
  readonly validator: Readonly<Record<string, (text: string, ...parameters: readonly unknown[]) => unknown>>;
  readonly seen: ValidatorExpression[];
}

let realm: ValidatorRealm | undefined;

function loadValidator(): ValidatorRealm {
  const nearby = createRequire(createRequire(import.meta.url).resolve('class-validator'));
  const file = nearby.resolve('validator/validator.min.js');
  const context = createContext(Object.create(null));
  runInContext(readFileSync(file, 'utf8'), context, { filename: file });
  runInContext(observation, context);
  return context as ValidatorRealm;
}

const observation = `
var seen = [];
for (const [use, method] of [
  ['test', 'test'], ['match', Symbol.match], ['replace', Symbol.replace], ['search', Symbol.search],
]) {
  const original = RegExp.prototype[method];
  RegExp.prototype[method] = function (...given) {
    seen.push({ use, source: this.source, flags: this.flags });
    return original.apply(this, given);
  };
}`;

/** A copy, because the library writes its defaults into the options that it gets. */
function copied(parameter: unknown): unknown {
  const isOptions = typeof parameter === 'object' && parameter !== null && !Array.isArray(parameter);
  return isOptions ? { ...parameter } : parameter;
}
