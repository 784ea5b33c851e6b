import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';
import type { ObjectExpression, Statement } from 'oxc-parser';
import { propertyOf } from '../create/static-value.ts';
import { SourceModule } from '../edit/source-module.ts';
import { edited } from '../edit/text-edit.ts';
import { completeVersion } from './framework-version.ts';

/** A package of the framework in a package.json. All have the same version, because their internal interfaces may change. */
export interface FrameworkDependency {
  readonly name: string;
  readonly section: Section;
  /** As it is written, such as `^0.1.0`. */
  readonly range: string;
  /** What precedes the version, such as `^`. Undefined if the range is not that of one version. */
  readonly prefix: string | undefined;
  /** The version in the range; undefined if it is not one. */
  readonly version: string | undefined;
  /** The position of the range in the text, with its quotes. */
  readonly start: number;
  readonly end: number;
}

const sections = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;
type Section = (typeof sections)[number];

const isOfFramework = (name: string): boolean => /^(?:@evenkeel\/.+|evenkeel|create-evenkeel)$/.test(name);

/**
 * Returns the packages of the framework in the text of a package.json. Throws `project-misconfigured` if it is not JSON.
 *
 * @param shown its path for messages.
 */
export function frameworkDependencies(text: string, shown: string): FrameworkDependency[] {
  const object = parsed(text, shown);
  return sections.flatMap((section) => {
    const value = object === undefined ? undefined : propertyOf(object, section)?.value;
    if (value?.type !== 'ObjectExpression') return [];
    return value.properties.flatMap((property) => {
      if (property.type !== 'Property' || property.key.type !== 'Literal' || property.value.type !== 'Literal')
        return [];
      const [name, range] = [property.key.value, property.value.value];
      if (typeof name !== 'string' || typeof range !== 'string' || !isOfFramework(name)) return [];
      const { start, end } = property.value;
      // The tree is that of the text in a parenthesis.
      return [{ name, section, range, ...rangeParts(range), start: start - 1, end: end - 1 }];
    });
  });
}

/** Returns the text of a package.json with another version, behind the same prefixes. Ranges of several versions stay. */
export function withVersion(text: string, dependencies: readonly FrameworkDependency[], version: string): string {
  const edits = dependencies.flatMap(({ prefix, start, end }) =>
    prefix === undefined ? [] : [{ start, end, text: JSON.stringify(`${prefix}${version}`) }],
  );
  return edited(text, edits);
}

/** Returns the version of a package that is installed for the package in a folder; undefined if it is not installed. */
export function installedVersion(folder: string, name: string): string | undefined {
  const version = installedManifest(folder, name)?.manifest['version'];
  return typeof version === 'string' ? version : undefined;
}

/** Returns the folder and the package.json of an installed package, in the nearest node_modules that has it. */
export function installedManifest(
  folder: string,
  name: string,
): { readonly folder: string; readonly manifest: Readonly<Record<string, unknown>> } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name);
    // Node's own resolution would remember the package from before the installation.
    const manifest = readJson(join(found, 'package.json'));
    if (manifest !== undefined) return { folder: found, manifest };
    if (dirname(at) === at) return undefined;
  }
}

function readJson(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function rangeParts(range: string): Pick<FrameworkDependency, 'prefix' | 'version'> {
  const [, prefix = '', rest = ''] = /^((?:\^|~|>=|=)? ?)(\S+)$/.exec(range) ?? [];
  const version = completeVersion(rest);
  return version === undefined ? { prefix: undefined, version } : { prefix, version };
}

/** Positions in the tree are one greater than in the text. */
function parsed(text: string, shown: string): ObjectExpression | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new EvenkeelError('project-misconfigured', `${shown}: ${(error as Error).message}; fix it first`, {
      cause: error,
    });
  }
  const [statement]: Statement[] = new SourceModule('package.json.ts', `(${text})`).program.body;
  const expression = statement?.type === 'ExpressionStatement' ? statement.expression : undefined;
  return expression?.type === 'ObjectExpression' ? expression : undefined;
}
