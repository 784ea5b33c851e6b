import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { parseYaml, type YamlDocument } from '../bundle/yaml-document.ts';
import { fieldText } from '../validate/finding.ts';
import { type ScorecardTestSpec, scorecardVersion } from './test-result.ts';

/** A test of a configuration, with its place there. */
export interface ConfiguredTest {
  readonly spec: ScorecardTestSpec;
  /** `stages[0].tests[1]` */
  readonly path: string;
  /** From 1. */
  readonly line: number;
}

/** The tests of a stage. */
export interface ScorecardStage {
  /** Whether its tests run at the same time. */
  readonly parallel: boolean;
  readonly tests: readonly ConfiguredTest[];
}

/** A configuration with mistakes: one line for each, `LINE: PATH: PROBLEM; FIX`. */
export class ScorecardConfigurationError extends Error {
  override readonly name = 'ScorecardConfigurationError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** The folder of the configuration in a bundle, unless its annotations name another. */
export const scorecardFolder = 'tests/scorecard/';

/**
 * Parses a configuration of scorecards, in the format of operator-sdk. Fields that only a cluster needs are ignored.
 *
 * @throws ScorecardConfigurationError with all mistakes.
 */
export function parseScorecardConfiguration(text: string): readonly ScorecardStage[] {
  const document = parseYaml(text);
  if ('reason' in document) {
    throw new ScorecardConfigurationError([`${document.line}: ${document.reason}; write it as YAML`]);
  }
  return new Reading(document).stages();
}

class Reading {
  readonly #document: YamlDocument;
  readonly #problems: string[] = [];

  constructor(document: YamlDocument) {
    this.#document = document;
  }

  stages(): readonly ScorecardStage[] {
    const { value } = this.#document;
    if (!isJsonObject(value)) throw new ScorecardConfigurationError(['1: it is not an object; write "stages: [...]"']);
    const apiVersion = valueAt(value, 'apiVersion') ?? scorecardVersion;
    if (apiVersion !== scorecardVersion) this.#add(['apiVersion'], `unsupported; write ${scorecardVersion}`);
    const stages = this.#objects(value, 'stages', []).map(([stage, path]): ScorecardStage => {
      const parallel = valueAt(stage, 'parallel') ?? false;
      if (typeof parallel !== 'boolean') this.#add([...path, 'parallel'], 'it must be true or false; correct it');
      const tests = this.#objects(stage, 'tests', path).map(([test, at]) => this.#test(test, at));
      return { parallel: parallel === true, tests };
    });
    if (this.#problems.length > 0) throw new ScorecardConfigurationError(this.#problems);
    return stages;
  }

  #test(test: JsonObject, path: readonly (string | number)[]): ConfiguredTest {
    const image = this.#text(test, 'image', path);
    const uniqueID = this.#text(test, 'uniqueID', path);
    const entrypoint = valueAt(test, 'entrypoint') ?? undefined;
    const isWords = Array.isArray(entrypoint) && entrypoint.every((word) => typeof word === 'string');
    if (entrypoint !== undefined && !isWords) {
      this.#add([...path, 'entrypoint'], 'it must be a list of strings; put the command and its arguments into [ ]');
    }
    if (image === undefined && (!isWords || entrypoint.length === 0)) {
      this.#add(path, 'it has neither an image nor an entrypoint; add one of them');
    }
    const labels = valueAt(test, 'labels') ?? undefined;
    const isLabels = isJsonObject(labels) && Object.values(labels).every((label) => typeof label === 'string');
    if (labels !== undefined && !isLabels) {
      this.#add([...path, 'labels'], 'it must have strings as its values; put them in quotes');
    }
    return {
      spec: {
        ...(image === undefined ? {} : { image }),
        ...(isWords ? { entrypoint: entrypoint as string[] } : {}),
        ...(isLabels ? { labels: labels as Record<string, string> } : {}),
        ...(uniqueID === undefined ? {} : { uniqueID }),
      },
      path: fieldText(path),
      line: this.#document.lineOf(path),
    };
  }

  #objects(
    parent: JsonObject,
    key: string,
    path: readonly (string | number)[],
  ): readonly (readonly [JsonObject, readonly (string | number)[]])[] {
    const list = valueAt(parent, key);
    if (!Array.isArray(list)) {
      this.#add([...path, key], 'it must be a list; add it');
      return [];
    }
    return list.flatMap((item: unknown, index) => {
      const at = [...path, key, index];
      if (isJsonObject(item)) return [[item, at] as const];
      this.#add(at, 'it must be an object; correct it');
      return [];
    });
  }

  #text(object: JsonObject, key: string, path: readonly (string | number)[]): string | undefined {
    const value = valueAt(object, key) ?? undefined;
    if (value === undefined || (typeof value === 'string' && value !== '')) return value;
    this.#add([...path, key], 'it must be a string; put it in quotes');
    return undefined;
  }

  #add(path: readonly (string | number)[], problem: string): void {
    this.#problems.push(`${this.#document.lineOf(path)}: ${fieldText(path)}: ${problem}`);
  }
}
