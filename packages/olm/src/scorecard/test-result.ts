import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';

/** The version of the formats of scorecards: their configuration, and the results of their tests. */
export const scorecardVersion = 'scorecard.operatorframework.io/v1alpha3';

/** The state of a result. `error` means that the test itself could not run. */
export type ScorecardState = 'pass' | 'fail' | 'error';

/** A result of a test, in the format v1alpha3. */
export interface ScorecardResult {
  readonly name?: string;
  readonly state: ScorecardState;
  readonly log?: string;
  readonly errors?: readonly string[];
  readonly suggestions?: readonly string[];
  /** When the result was created, in the format of RFC 3339. */
  readonly creationTimestamp?: string;
}

/** A test of a configuration. Fields that only a cluster needs, such as `storage`, are left out. */
export interface ScorecardTestSpec {
  /** The image of the test. Evenkeel's own extension: a test without an image is a module or a program of the project. */
  readonly image?: string;
  readonly entrypoint?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly uniqueID?: string;
}

/** A test with its results. */
export interface ScorecardTest {
  readonly apiVersion: typeof scorecardVersion;
  readonly kind: 'Test';
  readonly spec: ScorecardTestSpec;
  readonly status: { readonly results?: readonly ScorecardResult[] };
}

/** What operator-sdk prints as JSON. */
export interface ScorecardTestList {
  readonly apiVersion: typeof scorecardVersion;
  readonly kind: 'TestList';
  readonly items: readonly ScorecardTest[];
}

/** Results that a program has printed, and that are not in the format. */
export class ScorecardResultError extends Error {
  override readonly name = 'ScorecardResultError';
}

const states: readonly unknown[] = ['pass', 'fail', 'error'] satisfies readonly ScorecardState[];

/**
 * Parses what a custom test prints: `{"results": [{"name": "...", "state": "pass"}]}`.
 *
 * @throws ScorecardResultError with the path of the value that is wrong.
 */
export function parseScorecardResults(text: string): ScorecardResult[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = (cause as Error).message.replaceAll('\n', ' ');
    throw new ScorecardResultError(`stdout is not JSON (${reason})`, { cause });
  }
  const results = isJsonObject(value) ? valueAt(value, 'results') : undefined;
  if (!Array.isArray(results)) throw new ScorecardResultError('stdout has no list "results"');
  return results.map((result: unknown, index) => checkedResult(result, `results[${index}]`));
}

function checkedResult(result: unknown, path: string): ScorecardResult {
  if (!isJsonObject(result)) throw new ScorecardResultError(`${path} is not an object`);
  const state = valueAt(result, 'state');
  if (!states.includes(state)) throw new ScorecardResultError(`${path}.state is not one of ${states.join(', ')}`);
  return {
    ...text(result, 'name', path),
    state: state as ScorecardState,
    ...text(result, 'log', path),
    ...texts(result, 'errors', path),
    ...texts(result, 'suggestions', path),
    ...text(result, 'creationTimestamp', path),
  };
}

function text(result: JsonObject, key: string, path: string): Readonly<Record<string, string>> {
  const value = valueAt(result, key) ?? undefined;
  if (value !== undefined && typeof value !== 'string')
    throw new ScorecardResultError(`${path}.${key} is not a string`);
  return value === undefined ? {} : { [key]: value };
}

function texts(result: JsonObject, key: string, path: string): Readonly<Record<string, readonly string[]>> {
  const value = valueAt(result, key) ?? undefined;
  if (value === undefined) return {};
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw new ScorecardResultError(`${path}.${key} is not a list of strings`);
  }
  return { [key]: value };
}

/** Whether every result of every test is `pass`, as operator-sdk needs for its exit code 0. */
export function allPass({ items }: ScorecardTestList): boolean {
  return items.every(({ status }) => (status.results ?? []).every(({ state }) => state === 'pass'));
}
