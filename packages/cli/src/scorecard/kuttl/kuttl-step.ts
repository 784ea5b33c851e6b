import { readdirSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { isJsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { labelRequirementsOf, matchesLabels } from '@evenkeel/apimachinery/selector';
import { KuttlError } from './kuttl-error.ts';
import { isSetting, objectsIn, type PlacedObject, Settings } from './kuttl-file.ts';

/** A step of a test case. */
export interface KuttlStep {
  readonly index: number;
  readonly name: string;
  readonly applies: readonly PlacedObject[];
  readonly asserts: readonly PlacedObject[];
  readonly errors: readonly PlacedObject[];
  readonly deletes: readonly Settings[];
  readonly commands: readonly Settings[];
  readonly assertCommands: readonly Settings[];
  /** How long the assertions may take. Undefined: the suite's. */
  readonly timeoutMs: number | undefined;
}

/** The limits for the files that a step may name. */
export interface StepLimits {
  /** Messages show paths relative to this folder. */
  readonly shownFrom: string;
  /** The folder of the suite. */
  readonly root: string;
  /** Whether a step may name files outside of the suite. */
  readonly readsElsewhere: boolean;
}

const stepName = /^(\d+)-[^.]+(?:\.yaml)?$/;
const fileName = /^(?:\d+-)?([^-.]+)(-[^.]+)?(?:\.yaml)?$/;

/** Reads the steps of a test case in their order. Other files in its folder are ignored, as by kuttl. Throws KuttlError. */
export function stepsIn(folder: string, limits: StepLimits): KuttlStep[] {
  const files = new Map<number, string[]>();
  for (const name of readdirSync(folder).sort()) {
    const index = stepName.exec(name)?.[1];
    if (index === undefined) continue;
    const path = join(folder, name);
    const found = statSync(path).isDirectory()
      ? readdirSync(path)
          .sort()
          .map((each) => join(path, each))
      : [path];
    files.set(Number(index), [...(files.get(Number(index)) ?? []), ...found]);
  }
  return [...files]
    .sort(([left], [right]) => left - right)
    .map(([index, paths]) => stepOf(index, folder, paths, limits));
}

function stepOf(index: number, folder: string, paths: readonly string[], limits: StepLimits): KuttlStep {
  const found = { applies: [] as PlacedObject[], asserts: [] as PlacedObject[], errors: [] as PlacedObject[] };
  let name = '';
  for (const path of paths) {
    const [, word = '', rest = ''] = fileName.exec(path.split(/[/\\]/).at(-1) ?? '') ?? [];
    const objects = selectedIn(objectsIn(path, limits.shownFrom));
    if (word.toLowerCase() === 'assert') found.asserts.push(...objects);
    else if (word.toLowerCase() === 'errors') found.errors.push(...objects);
    else {
      if (name === '') name = `${word}${rest}`;
      found.applies.push(...objects);
    }
  }
  const [step, second] = found.applies.filter((each) => isSetting(each, 'TestStep'));
  if (second !== undefined) throw new KuttlError(`${second.place}: the step has another TestStep; remove one`);
  const settings = step && new Settings(step);
  settings?.reject(['kubeconfig', 'context'], 'a scorecard has one API server; remove it');
  const assert = found.asserts.findLast((each) => isSetting(each, 'TestAssert'));
  const assertSettings = assert && new Settings(assert);
  assertSettings?.reject(['assertAny', 'assertAll', 'resourceRefs'], 'write the expected object instead');
  const seconds = assertSettings?.number('timeout') ?? 0;
  const named = (key: string): PlacedObject[] =>
    (settings?.texts(key) ?? []).flatMap((given) => namedObjects(given, folder, settings, limits));
  return {
    ...{ index, name: name === '' ? 'assert' : name },
    applies: [...found.applies.filter((each) => !isSetting(each, 'TestStep')), ...named('apply')],
    asserts: [...found.asserts.filter((each) => !isSetting(each, 'TestAssert')), ...named('assert')],
    errors: [...found.errors, ...named('error')],
    deletes: settings?.list('delete') ?? [],
    commands: settings?.list('commands') ?? [],
    assertCommands: assertSettings?.list('commands') ?? [],
    timeoutMs: seconds > 0 ? seconds * 1000 : undefined,
  };
}

/** A TestFile selects the runs that use its file by their labels, and these runs have none. */
function selectedIn(objects: readonly PlacedObject[]): PlacedObject[] {
  const isSelected = objects
    .filter((each) => isSetting(each, 'TestFile'))
    .every(({ object }) => {
      const selector = valueAt(object, 'testRunSelector');
      return !isJsonObject(selector) || matchesLabels(labelRequirementsOf(selector), {});
    });
  return isSelected ? objects.filter((each) => !isSetting(each, 'TestFile')) : [];
}

function namedObjects(
  given: string,
  folder: string,
  settings: Settings | undefined,
  { root, shownFrom, readsElsewhere }: StepLimits,
): PlacedObject[] {
  if (/^https?:/.test(given)) throw new KuttlError(`${given}: files are not downloaded; copy it to the bundle`);
  const path = resolve(folder, given);
  const isInside = !relative(root, path).startsWith('..') && !isAbsolute(relative(root, path));
  if (!isInside && !readsElsewhere) {
    const problem = `${given} is outside of the folder of the suite; move it there, or pass --trust-bundle`;
    throw settings?.error(problem) ?? new KuttlError(problem);
  }
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  const files = isFolder
    ? readdirSync(path)
        .sort()
        .filter((name) => name.endsWith('.yaml'))
        .map((name) => join(path, name))
    : [path];
  return files.flatMap((file) => objectsIn(file, shownFrom));
}
