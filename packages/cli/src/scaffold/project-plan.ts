import { basename, resolve } from 'node:path';
import { isDns1123Label, isDns1123Subdomain } from '@evenkeel/apimachinery/name-form';
import { EvenkeelError, pluralOf } from '@evenkeel/core';
import { type RunningManager, runningManager } from '../package-manager/package-manager.ts';

/** What a new project contains. */
export interface ProjectPlan {
  /** The absolute path of its folder. */
  readonly folder: string;
  /** The name of the npm package and of the operator. */
  readonly name: string;
  /** The API group of its kinds. */
  readonly group: string;
  readonly kinds: readonly string[];
  /** Whether controllers are classes with decorators, or plain functions. */
  readonly controllers: 'classes' | 'functions';
  readonly hasGithubActions: boolean;
  readonly hasDevcontainer: boolean;
  /** Whether git tracks the generated files. */
  readonly areGeneratedCommitted: boolean;
  /** The package manager that installs its packages. */
  readonly runningManager: RunningManager;
}

/** The options of a project as given on the command line or in answers, unchecked. */
export interface ProjectAnswers {
  /** The folder, relative to the working folder. */
  readonly folder: string;
  readonly kinds: string;
  readonly group: string;
  readonly functions?: boolean;
  readonly githubActions?: boolean;
  readonly devcontainer?: boolean;
  readonly committed?: boolean;
}

export const defaultKind = 'WebApp';
export const defaultGroup = 'apps.example.com';

/** The names that the modules of a project import, and the files of its other modules. A test compares both with the files. */
export const usedNames: ReadonlySet<string> = new Set([
  ...[
    'Condition',
    'Conditions',
    'Controller',
    'CustomResource',
    'Deployment',
    'Environment',
    'IsInt',
    'KubernetesObject',
  ],
  ...['Manager', 'Matches', 'Max', 'MaxLength', 'Min', 'Owns', 'PrinterColumn', 'Reconcile', 'ReconcileContext'],
  ...['ReconcileResult', 'Spec', 'Status'],
]);
export const usedFiles: ReadonlySet<string> = new Set(['fields', 'main', 'operator']);

/** Labels and the names of Services have at most 63 characters, and the longest derived name is `NAME-webhook-authority`. */
const longestName = 40;

/**
 * Checks the answers. Throws one `invalid-option` that names every mistake with its fix.
 *
 * @param workingFolder the folder to which the project's folder is relative.
 * @param manager Default: the one that runs the command.
 */
export function planProject(
  answers: ProjectAnswers,
  workingFolder: string,
  manager: RunningManager = runningManager(),
): ProjectPlan {
  const folder = resolve(workingFolder, answers.folder);
  const name = basename(folder);
  const group = answers.group.trim();
  const kinds = answers.kinds
    .split(',')
    .map((kind) => kind.trim())
    .filter((kind) => kind !== '');
  const mistakes = [...mistakesOfName(name), ...mistakesOfGroup(group), ...mistakesOfKinds(kinds)];
  if (mistakes.length > 0) throw new EvenkeelError('invalid-option', mistakes.join('\n'));
  return {
    folder,
    name,
    group,
    kinds,
    controllers: answers.functions === true ? 'functions' : 'classes',
    hasGithubActions: answers.githubActions === true,
    hasDevcontainer: answers.devcontainer === true,
    areGeneratedCommitted: answers.committed === true,
    runningManager: manager,
  };
}

/** Returns the name of a kind's files: `redis-cluster` for `RedisCluster`, `dns-zone` for `DNSZone`. */
export function fileNameOf(kind: string): string {
  return kind
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}

function* mistakesOfName(name: string): Generator<string> {
  const quoted = JSON.stringify(name);
  if (!isDns1123Label(name) || name.length > longestName) {
    yield `the folder's name ${quoted}, which becomes the name of the project, is invalid; use at most ${longestName} lower-case letters, digits and "-", starting with a letter`;
  } else if (!/^[a-z]/.test(name)) {
    yield `the folder's name ${quoted}, which becomes the name of the project, is invalid, because Services are named after it; start it with a letter`;
  } else if (name === 'evenkeel') {
    yield `the folder's name ${quoted}, which becomes the name of the project, is the name of a package that the project needs; choose another name`;
  }
}

/** Yields each mistake in an API group, with the fix. */
export function* mistakesOfGroup(group: string): Generator<string> {
  const quoted = JSON.stringify(group);
  if (!isDns1123Subdomain(group) || !group.includes('.')) {
    yield `the API group ${quoted} is invalid; use a domain in lower case, such as cache.example.com`;
  } else if (/(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group)) {
    yield `the API group ${quoted} is reserved for the Kubernetes project; use a group of your own domain`;
  }
}

/** Yields each mistake in new kinds, with the fix. */
export function* mistakesOfKinds(kinds: readonly string[]): Generator<string> {
  if (kinds.length === 0) yield 'no kind is given; name at least one, such as --kind Memcached';
  const files = new Map<string, string>();
  const plurals = new Map<string, string>();
  for (const kind of kinds) {
    if (!/^[A-Z][A-Za-z0-9]{0,49}$/.test(kind)) {
      yield `the kind ${JSON.stringify(kind)} is invalid; use a name in CamelCase of at most 50 letters and digits, such as RedisCluster`;
      continue;
    }
    if (usedNames.has(kind))
      yield `the name of the kind ${kind} is already used in the project's sources; choose another name`;
    if (usedFiles.has(fileNameOf(kind)))
      yield `the kind ${kind} would replace src/${fileNameOf(kind)}.ts; choose another name`;
    if (kind in globalThis) yield `the kind ${kind} has the name of a global class of JavaScript; choose another name`;
    for (const [map, key] of [
      [files, fileNameOf(kind)],
      [plurals, pluralOf(kind)],
    ] as const) {
      const other = map.get(key);
      if (other !== undefined) yield `the kinds ${other} and ${kind} are too similar: both would be ${key}; rename one`;
      map.set(key, kind);
    }
  }
}
