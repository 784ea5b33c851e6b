import type { ImportDeclaration, Statement } from 'oxc-parser';
import type { CodeStyle } from './code-style.ts';
import { type BracketedList, entryAdded, entryRemoved } from './list-edit.ts';
import type { SourceModule } from './source-module.ts';
import { insertion, removal, type TextEdit } from './text-edit.ts';

/** Returns the edits that import a name: next to the names from the same module, or in a separate line. Sorted imports stay sorted. */
export function importAdded(module: SourceModule, name: string, specifier: string, style: CodeStyle): TextEdit[] {
  const imports = module.program.body.filter((statement) => statement.type === 'ImportDeclaration');
  const same = imports.find(({ source, importKind }) => source.value === specifier && importKind !== 'type');
  const names = same === undefined ? undefined : namesOf(module, same);
  if (names !== undefined && names.entries.length > 0) {
    const existing = names.entries.map((entry) => module.textOf(entry));
    const index = sortedPlace(existing, name);
    return entryAdded(module, names, name, style, { index });
  }
  const blank = style.hasBraceBlanks ? ' ' : '';
  const line = `import {${blank}${name}${blank}} from ${style.quote}${specifier}${style.quote}${style.hasSemicolons ? ';' : ''}`;
  const relative = imports.filter(({ source }) => source.value.startsWith('.'));
  const place = sortedPlace(
    relative.map(({ source }) => source.value),
    specifier,
  );
  const following = relative[place];
  const previous = relative[place - 1] ?? (following === undefined ? imports.at(-1) : undefined);
  if (previous !== undefined) return [insertion(module.endOfTail(previous.end), `${style.newline}${line}`)];
  if (following === undefined) return [insertion(startOfCode(module), `${line}${style.newline}`)];
  // A comment above the first import may be that of the file, or may belong to the import.
  const hasComment = module.comments.some(({ end }) => /^\s*$/.test(module.text.slice(end, following.start)));
  return hasComment
    ? [insertion(module.endOfTail(following.end), `${style.newline}${line}`)]
    : [insertion(module.lineStart(following.start), `${line}${style.newline}`)];
}

/** Returns the edits that remove the import of a local name, and the whole statement if it imports nothing else. */
export function importRemoved(module: SourceModule, local: string): TextEdit[] {
  for (const statement of module.program.body) {
    if (statement.type !== 'ImportDeclaration') continue;
    const specifier = statement.specifiers.find((each) => each.local.name === local);
    if (specifier === undefined) continue;
    if (statement.specifiers.length === 1) return [lineRemoved(module, statement)];
    const names = namesOf(module, statement);
    const index = names?.entries.findIndex(({ start }) => start === specifier.start) ?? -1;
    if (names !== undefined && index >= 0) return entryRemoved(module, names, index);
  }
  return [];
}

function lineRemoved(module: SourceModule, statement: Statement): TextEdit {
  const start = module.lineStart(statement.start);
  const end = module.afterBlanks(module.endOfTail(statement.end));
  const isAlone = module.text.slice(start, statement.start).trim() === '';
  return isAlone ? removal(start, module.afterNewline(end)) : removal(statement.start, statement.end);
}

/** The names in braces. */
function namesOf(module: SourceModule, statement: ImportDeclaration): BracketedList | undefined {
  const entries = statement.specifiers.filter(({ type }) => type === 'ImportSpecifier');
  const start = module.find('{', statement.start, entries[0]?.start ?? statement.source.start);
  const close = module.find('}', entries.at(-1)?.end ?? statement.start, statement.source.start);
  return start === undefined || close === undefined ? undefined : { start, end: close + 1, entries };
}

/** The index at which a list stays sorted; its end if it is not sorted. */
function sortedPlace(existing: readonly string[], added: string): number {
  const isSorted = existing.every((each, index) => index === 0 || (existing[index - 1] ?? '') <= each);
  const place = isSorted ? existing.findIndex((each) => each > added) : -1;
  return place < 0 ? existing.length : place;
}

/** Behind directives such as 'use strict', and behind the comment of the file. */
function startOfCode({ program, text, comments }: SourceModule): number {
  const directive = program.body.findLast(
    (statement) => 'directive' in statement && typeof statement.directive === 'string',
  );
  const from = directive?.end ?? /^#!.*/.exec(text)?.[0].length ?? 0;
  const header = comments.find(
    ({ start, end }) => text.slice(from, start).trim() === '' && /^\r?\n\r?\n/.test(text.slice(end, end + 4)),
  );
  const at = header?.end ?? from;
  return at + (/^(?:\r?\n)*/.exec(text.slice(at))?.[0].length ?? 0);
}
