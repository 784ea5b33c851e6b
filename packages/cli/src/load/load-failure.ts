import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { didYouMean, type ErrorCode, EvenkeelError, messageOf, placesOf, userPlacesOf } from '@evenkeel/core';
import type { Finding, SourceLocation } from '@evenkeel/schema';
import { ImportFailure } from './import-failure.ts';
import type { ImportGraph } from './import-graph.ts';

/** What a description of a failure needs. */
export interface LoadContext {
  readonly graph: ImportGraph;
  /** Messages show file paths relative to this folder; locations stay absolute. */
  readonly folder: string;
  /** The names that a module exports, for those of {@link missingExportOf}. Default: unknown. */
  readonly exports?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Describes why modules of the user did not load. If a decorator needed a class before its module had run, reports the
 * import cycle. For an unresolved import, reports its line.
 */
export function loadFailure(modules: readonly string[], error: unknown, context: LoadContext): Finding {
  const shown = (url: string) => relative(context.folder, url.startsWith('file:') ? fileURLToPath(url) : url);
  const place = error instanceof ImportFailure ? placeOfImport(error) : placeOf(error);
  const isThere = modules.length === 1 && place !== undefined && modules[0] === pathToFileURL(place.file).href;
  const subject =
    modules.length === 0
      ? 'an unhandled error was thrown while the modules loaded: '
      : `${isThere ? 'this module' : modules.map(shown).join(', ')} did not load: `;
  const finding = (code: ErrorCode, message: string): Finding => ({
    level: 'error',
    code,
    className: '',
    ...(place === undefined ? {} : { location: place }),
    message,
  });
  if (error instanceof EvenkeelError) return finding(error.code, subject + error.message);
  if (error instanceof ImportFailure) return finding('module-not-loaded', subject + error.message);
  const later = declaredLater(error, place);
  if (later !== undefined) return finding('module-not-loaded', subject + later);
  const typeOnly = importedAsType(error, place);
  if (typeOnly !== undefined) return finding('module-not-loaded', subject + typeOnly);
  const cycle = cycleBehind(error, place, context.graph);
  if (cycle !== undefined) {
    const { name, modules: circle } = cycle;
    return finding(
      'import-cycle',
      `${subject}${name} is used before its module has run, because of an import cycle: ${circle.map(shown).join(' -> ')}; ${cycleFix(name, place)}`,
    );
  }
  const missing = missingExportOf(error, context.graph);
  if (missing === undefined) return finding('module-not-loaded', subject + messageOf(error));
  const { specifier, name, module = '' } = missing;
  const hint =
    didYouMean(name, context.exports?.get(module) ?? []) ||
    '; if it is a type, write "import type", because types do not exist at run time';
  return finding('module-not-loaded', `${subject}"${specifier}" has no export "${name}"${hint}`);
}

export interface MissingExport {
  readonly specifier: string;
  readonly name: string;
  /** The URL of the module without the export; undefined if the import is not known. */
  readonly module: string | undefined;
}

/** The name that an import requests but its module does not export, if that is the error. */
export function missingExportOf(error: unknown, graph: ImportGraph): MissingExport | undefined {
  const [, specifier, name] = missingExport.exec(messageOf(error)) ?? [];
  if (specifier === undefined || name === undefined) return undefined;
  const place = placeOf(error);
  const module = place === undefined ? undefined : graph.resolved(specifier, pathToFileURL(place.file).href);
  return { specifier, name, module };
}

const missingExport = /^The requested module '(.+)' does not provide an export named '(.+)'$/;

interface Cycle {
  readonly name: string;
  readonly modules: readonly string[];
}

/** The name that was used too early, according to an error. */
function nameUsedEarly(error: unknown): string | undefined {
  return error instanceof ReferenceError
    ? /^Cannot access '(.+)' before initialization/.exec(error.message)?.[1]
    : undefined;
}

/** Describes the use of a class above its declaration in the same file. */
function declaredLater(error: unknown, place: SourceLocation | undefined): string | undefined {
  const name = nameUsedEarly(error);
  if (name === undefined || place === undefined) return undefined;
  const lines = textOf(place.file)?.split('\n') ?? [];
  const at = lines.findIndex((line) => declaredName(line) === name);
  if (at < place.line - 1) return undefined;
  const thunk = thunkFor(name, lines[place.line - 1] ?? '');
  const fix = thunk === undefined ? 'move it up' : `move it up, or pass a function: ${thunk}`;
  return `${name} is used before it is declared in line ${at + 1} of the same file; ${fix}`;
}

/** Describes the use as a value of a name that is imported as a type. Such a name does not exist at run time. */
function importedAsType(error: unknown, place: SourceLocation | undefined): string | undefined {
  const name = error instanceof ReferenceError ? /^([\w$]+) is not defined$/.exec(error.message)?.[1] : undefined;
  if (name === undefined || place === undefined) return undefined;
  const text = textOf(place.file) ?? '';
  for (const { 0: statement, 1: whole, 2: names = '', index } of text.matchAll(typeImports)) {
    const asType = names.split(',').some((part) => {
      const words = part.trim().split(/\s+/);
      return words.at(-1) === name && (whole !== undefined || words[0] === 'type');
    });
    if (!asType) continue;
    const line = text.slice(0, index + statement.search(/\S/)).split('\n').length;
    return `${name} is not defined: line ${line} imports it as a type, and types do not exist at run time; remove the word "type" there`;
  }
  return undefined;
}

/** `import type { A }`, `import { type A }`. */
const typeImports = /^[ \t]*import\s+(type\s+)?\{([^{}]*)\}/gm;

function declaredName(line: string): string | undefined {
  return /^\s*(?:export )?(?:default )?(?:abstract )?(?:class|const|let) ([\w$]+)/.exec(line)?.[1];
}

/** Returns `@Controller(() => Site)` for a line in which the class is passed to a decorator. */
function thunkFor(name: string, line: string): string | undefined {
  const decorator = /^@([\w$]+)\((.*)/.exec(line.trim());
  const words = (decorator?.[2] ?? '').replaceAll(/=>\s*/g, '=>').split(/[^\w$=>]+/);
  return words.includes(name) ? `@${decorator?.[1]}(() => ${name})` : undefined;
}

function cycleBehind(error: unknown, place: SourceLocation | undefined, graph: ImportGraph): Cycle | undefined {
  const name = nameUsedEarly(error);
  const modules =
    name === undefined || place === undefined ? undefined : graph.cycleThrough(pathToFileURL(place.file).href);
  return name === undefined || modules === undefined ? undefined : { name, modules };
}

/**
 * Returns the fix of an import cycle. A function solves it for a decorator's argument, but not for a declared type,
 * which the compiler records.
 */
function cycleFix(name: string, place: SourceLocation | undefined): string {
  const ownModule = `move ${name} to a module that imports none of these`;
  const [line = '', ...next] = place === undefined ? [] : linesFrom(place);
  const thunk = thunkFor(name, line);
  if (thunk !== undefined) return `pass the class as a function, ${thunk}, or ${ownModule}`;
  // A property's decorators may be on separate lines above it.
  const property = [line, ...next].find((text) => /[\w$'"\]][?!]?:\s/.test(text)) ?? '';
  const [, annotation = ''] = /[?!]?:\s([^=]*)/.exec(property) ?? [];
  if (!annotation.split(/[^\w$]+/).includes(name)) return ownModule;
  return `the compiler records the declared type; ${ownModule}, or declare the property with a type-only name (import type { ${name} as ${name}Type }) and pass the class to @Type(() => ${name})`;
}

/** The line of a location and the lines that follow. */
function linesFrom({ file, line }: SourceLocation): string[] {
  const lines = textOf(file)?.split('\n') ?? [];
  return lines.slice(line - 1, line + 9).map((text) => text.trim());
}

/**
 * Returns where an error was thrown, from its stack (which Node maps to the source): the first frame in a file of the
 * user, otherwise the first frame in any file.
 */
export function placeOf(error: unknown): SourceLocation | undefined {
  if (!(error instanceof Error)) return undefined;
  const place = userPlacesOf(error)[0] ?? placesOf(error)[0];
  const specifier = missingExport.exec(error.message)?.[1];
  if (place === undefined || specifier === undefined) return place;
  return { ...place, line: lineOfImport(specifier, place.file) ?? place.line };
}

/** The location of an unresolved import. */
function placeOfImport({ importer, specifier }: ImportFailure): SourceLocation {
  const file = fileURLToPath(importer);
  return { file, line: lineOfImport(specifier, file) ?? 1 };
}

/** Searches for the specifier, because link errors do not contain a source line. */
function lineOfImport(specifier: string, file: string): number | undefined {
  const lines = textOf(file)?.split('\n') ?? [];
  const at = lines.findIndex((line) => line.includes(`'${specifier}'`) || line.includes(`"${specifier}"`));
  return at < 0 ? undefined : at + 1;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
