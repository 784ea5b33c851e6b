import { isJsonObject, jsonEqual } from '@evenkeel/apimachinery/json';
import {
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

type Path = readonly (string | number)[];

/** A change of one place of a document. */
export type DocumentEdit =
  /** Adds an item to the end of a list, which is created if it is missing. */
  | { readonly append: unknown; readonly path: Path }
  /** Sets a member of an object to a string. */
  | { readonly set: string; readonly path: Path };

/** A document in a form that the editor does not know. */
export class EditError extends Error {
  override readonly name = 'EditError';
}

/**
 * Changes one place of the text of a YAML or JSON document. Everything else keeps its bytes, with comments and the order of keys. The
 * result is parsed again and compared, so a text that cannot be edited safely is never returned.
 *
 * @throws EditError
 */
export function editDocument(text: string, edit: DocumentEdit): string {
  const changed = edited(text, edit);
  const expected = expectedValue(parsed(text).toJS() as unknown, edit);
  if (!jsonEqual(parsed(changed).toJS(), expected)) {
    throw new EditError('the form of its YAML is unusual; edit it by hand');
  }
  return changed;
}

function edited(text: string, edit: DocumentEdit): string {
  const document = parsed(text);
  const last = edit.path.at(-1);
  const node: unknown = document.getIn(edit.path, true);
  if ('set' in edit) {
    if (isScalar(node) && node.range) {
      const [start, end] = node.range;
      return `${text.slice(0, start)}${JSON.stringify(edit.set)}${text.slice(end)}`;
    }
    return withMember(text, document.getIn(edit.path.slice(0, -1), true), String(last), edit.set);
  }
  if (isSeq(node) && node.items.length > 0) return withItem(text, node, edit.append);
  if (node === undefined) {
    return withMember(text, document.getIn(edit.path.slice(0, -1), true), String(last), [edit.append]);
  }
  if (isNode(node) && node.range && (isSeq(node) || (isScalar(node) && node.value === null))) {
    const [start, end] = node.range;
    const space = /\S$/.test(text.slice(0, start)) ? ' ' : '';
    return `${text.slice(0, start)}${space}${JSON.stringify([edit.append])}${text.slice(end)}`;
  }
  throw new EditError('a list is in an unusual form; edit it by hand');
}

function withItem(text: string, list: YAMLSeq, value: unknown): string {
  const [start] = list.range ?? [0];
  if (list.flow === true) return withFlowMember(text, list, (indent, unit) => flowText(value, indent, unit));
  return insertLines(text, endOf(list.items.at(-1)), blockText([value]), columnOf(text, start));
}

function withMember(text: string, parent: unknown, key: string, value: unknown): string {
  if (!isMap(parent) || !parent.range) throw new EditError('an object is in an unusual form; edit it by hand');
  if (parent.flow === true) {
    return withFlowMember(text, parent, (indent, unit) => `${JSON.stringify(key)}: ${flowText(value, indent, unit)}`);
  }
  return insertLines(text, endOf(parent.items.at(-1)), blockText({ [key]: value }), columnOf(text, parent.range[0]));
}

/** Adds a member before the closing bracket, on a line of its own if the others are. */
function withFlowMember(
  text: string,
  collection: YAMLSeq | YAMLMap,
  write: (indent: string, unit: string) => string,
): string {
  const [start, end] = collection.range ?? [0, 0];
  const closing = end - 1;
  const last = collection.items.at(-1);
  const after = last === undefined ? start + 1 : endOf(last);
  const separator = last === undefined ? '' : ',';
  const space = text.slice(after, closing);
  if (!space.includes('\n')) {
    return `${text.slice(0, after)}${separator}${last === undefined ? '' : ' '}${write('', '')}${text.slice(after)}`;
  }
  const outer = space.slice(space.lastIndexOf('\n') + 1);
  const lineStart = text.lastIndexOf('\n', after - 1) + 1;
  const own = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', startOf(last) - 1) + 1, startOf(last)))?.[0] ?? '';
  const indent = lineStart === 0 ? `${outer}  ` : own;
  const unit = indent.startsWith(outer) && indent.length > outer.length ? indent.slice(outer.length) : '  ';
  return `${text.slice(0, after)}${separator}\n${indent}${write(indent, unit)}${text.slice(after)}`;
}

function flowText(value: unknown, indent: string, unit: string): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', `\n${indent}`);
}

function blockText(value: unknown): string {
  return stringify(value, { version: '1.1', lineWidth: 0 });
}

/** Inserts lines after the line of a position. */
function insertLines(text: string, after: number, lines: string, column: number): string {
  const at = text.charAt(after - 1) === '\n' ? after - 1 : text.indexOf('\n', after);
  const indented = lines
    .trimEnd()
    .split('\n')
    .map((line) => `${' '.repeat(column)}${line}`)
    .join('\n');
  if (at === -1) return `${text}\n${indented}\n`;
  return `${text.slice(0, at)}\n${indented}${text.slice(at)}`;
}

function endOf(item: unknown): number {
  const node = isPair(item) ? (item.value ?? item.key) : item;
  if (isMap(node) || isSeq(node)) {
    if (node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1));
  }
  return isNode(node) && node.range ? node.range[1] : 0;
}

function startOf(item: unknown): number {
  const node = isPair(item) ? item.key : item;
  return isNode(node) && node.range ? node.range[0] : 0;
}

function columnOf(text: string, at: number): number {
  return at - (text.lastIndexOf('\n', at - 1) + 1);
}

function parsed(text: string) {
  const document = parseDocument(text, {
    version: '1.1',
    merge: true,
    uniqueKeys: false,
    lineCounter: new LineCounter(),
    logLevel: 'silent',
  });
  if (document.errors.length > 0) throw new EditError('it is not YAML; correct it');
  return document;
}

function expectedValue(value: unknown, edit: DocumentEdit): unknown {
  const result = structuredClone(value);
  let parent: unknown = result;
  for (const key of edit.path.slice(0, -1)) parent = (parent as Record<string | number, unknown>)[key];
  const last = edit.path.at(-1) ?? '';
  const container = parent as Record<string | number, unknown>;
  if ('set' in edit) container[last] = edit.set;
  else container[last] = [...(Array.isArray(container[last]) ? (container[last] as unknown[]) : []), edit.append];
  return isJsonObject(result) ? result : value;
}
