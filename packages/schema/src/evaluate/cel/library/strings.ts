import {
  type FunctionDeclaration,
  globalOverload,
  type Implementation,
  type Library,
  memberOverload,
} from '../value/declaration.ts';
import { limitText } from '../value/evaluation-limit.ts';
import { EvaluationFault, noSuchOverload } from '../value/fault.ts';
import { formatValue } from '../value/format-value.ts';
import { type CelType, dynType, intType, listType, stringType } from '../value/type.ts';
import { ArrayList, CelList, type CelValue, isInt } from '../value/value.ts';
import { formatText } from './string-format.ts';

/** The string functions of version 2 of cel-go's extension, in Kubernetes since 1.29; positions count code points. */
export const stringLibrary: Library = {
  functions: [
    member('charAt', 'string_char_at_int', [intType], stringType, (text, index) => charAt(string(text), int(index))),
    {
      name: 'indexOf',
      overloads: [
        overload('string_index_of_string', [stringType], intType, (text, part) =>
          indexOf(string(text), string(part), 0),
        ),
        overload('string_index_of_string_int', [stringType, intType], intType, (text, part, from) =>
          indexOf(string(text), string(part), int(from)),
        ),
      ],
    },
    {
      name: 'lastIndexOf',
      overloads: [
        overload('string_last_index_of_string', [stringType], intType, (text, part) =>
          lastIndexOf(string(text), string(part)),
        ),
        overload('string_last_index_of_string_int', [stringType, intType], intType, (text, part, from) =>
          lastIndexOf(string(text), string(part), int(from)),
        ),
      ],
    },
    member('lowerAscii', 'string_lower_ascii', [], stringType, (text) =>
      string(text).replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    ),
    member('upperAscii', 'string_upper_ascii', [], stringType, (text) =>
      string(text).replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
    ),
    {
      name: 'replace',
      overloads: [
        overload('string_replace_string_string', [stringType, stringType], stringType, (text, old, by) =>
          replace(string(text), string(old), string(by), -1),
        ),
        overload(
          'string_replace_string_string_int',
          [stringType, stringType, intType],
          stringType,
          (text, old, by, n) => replace(string(text), string(old), string(by), int(n)),
        ),
      ],
    },
    {
      name: 'split',
      overloads: [
        overload('string_split_string', [stringType], listType(stringType), (text, separator) =>
          split(string(text), string(separator), -1),
        ),
        overload('string_split_string_int', [stringType, intType], listType(stringType), (text, separator, limit) =>
          split(string(text), string(separator), int(limit)),
        ),
      ],
    },
    {
      name: 'substring',
      overloads: [
        overload('string_substring_int', [intType], stringType, (text, start) => substring(string(text), int(start))),
        overload('string_substring_int_int', [intType, intType], stringType, (text, start, end) =>
          substring(string(text), int(start), int(end)),
        ),
      ],
    },
    // Go's white space; JavaScript's trim differs for U+0085 and U+FEFF.
    member('trim', 'string_trim', [], stringType, (text) => trimSpace(string(text))),
    member('format', 'string_format', [listType(dynType)], stringType, (text, args) => {
      if (!(args instanceof CelList)) throw noSuchOverload();
      return formatText(string(text), args);
    }),
    {
      name: 'strings.quote',
      overloads: [globalOverload('strings_quote', [stringType], stringType, (text) => quote(string(text)))],
    },
    {
      name: 'join',
      overloads: [
        memberOverload('list_join', [listType(stringType)], stringType, (list) => join(list, '')),
        memberOverload('list_join_string', [listType(stringType), stringType], stringType, (list, separator) =>
          join(list, string(separator)),
        ),
      ],
    },
  ],
};

function overload(id: string, args: readonly CelType[], result: CelType, invoke: Implementation) {
  return memberOverload(id, [stringType, ...args], result, invoke);
}

function member(
  name: string,
  id: string,
  args: readonly CelType[],
  result: CelType,
  invoke: Implementation,
): FunctionDeclaration {
  return { name, overloads: [overload(id, args, result, invoke)] };
}

function charAt(text: string, index: number): string {
  const points = codePoints(text);
  if (index < 0 || index > points.length) throw outOfRange(index);
  return points[index] ?? '';
}

function indexOf(text: string, part: string, from: number): number {
  if (part === '') return from;
  if (from < 0) throw outOfRange(from);
  const points = codePoints(text);
  if (from >= points.length) return -1;
  const start = points.slice(0, from).join('').length;
  return pointIndex(text, text.indexOf(part, start));
}

function lastIndexOf(text: string, part: string, from?: number): number {
  const points = codePoints(text);
  if (part === '') return from ?? points.length;
  if (from === undefined && text.length < part.length) return -1;
  const last = from ?? points.length - 1;
  if (last < 0) throw outOfRange(last);
  if (last >= points.length) return -1;
  return pointIndex(text, text.lastIndexOf(part, points.slice(0, last).join('').length));
}

/** Converts a position in UTF-16 units to code points. */
function pointIndex(text: string, index: number): number {
  return index <= 0 ? index : codePoints(text.slice(0, index)).length;
}

function replace(text: string, old: string, by: string, limit: number): string {
  if (limit === 0 || old === by) return text;
  // In the worst case every code point, or every occurrence, is replaced.
  const most = old === '' ? text.length + 1 : by.length > old.length ? Math.floor(text.length / old.length) : 0;
  if (text.length + most * by.length > 1 << 20) limitText(text.length + occurrences(text, old) * by.length);
  if (limit < 0 && old !== '') return text.replaceAll(old, () => by);
  const units = old === '' ? codePoints(text) : text.split(old);
  const gaps = old === '' ? units.length + 1 : units.length - 1;
  const count = limit < 0 ? gaps : Math.min(limit, gaps);
  if (old === '') {
    return units.map((unit, i) => (i < count ? by + unit : unit)).join('') + (count > units.length ? by : '');
  }
  return [units.slice(0, count + 1).join(by), ...units.slice(count + 1)].join(old);
}

function occurrences(text: string, part: string): number {
  if (part === '') return text.length + 1;
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

function split(text: string, separator: string, limit: number): ArrayList {
  if (limit === 0) return new ArrayList([]);
  const parts = separator === '' ? codePoints(text) : text.split(separator);
  if (limit < 0 || parts.length <= limit) return new ArrayList(parts);
  return new ArrayList([...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)]);
}

function substring(text: string, start: number, end?: number): string {
  const points = codePoints(text);
  if (end !== undefined && start > end) {
    throw new EvaluationFault(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0 || start > points.length) throw outOfRange(start);
  if (end !== undefined && (end < 0 || end > points.length)) throw outOfRange(end);
  return points.slice(start, end).join('');
}

function trimSpace(text: string): string {
  const isSpace = (char: string | undefined) => char !== undefined && char !== '\ufeff' && /[\s\u0085]/.test(char);
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start])) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  return text.slice(start, end);
}

const quoted = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

function quote(text: string): string {
  return `"${Array.from(text.toWellFormed(), (char) => quoted.get(char) ?? char).join('')}"`;
}

function join(list: CelValue | undefined, separator: string): string {
  if (!(list instanceof CelList)) throw noSuchOverload();
  const parts = [...list];
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      throw new EvaluationFault(`join: invalid input: ${formatValue(part)}`);
    })
    .join(separator);
}

function codePoints(text: string): string[] {
  return Array.from(text);
}

function outOfRange(index: number): EvaluationFault {
  return new EvaluationFault(`index out of range: ${index}`);
}

function string(value: CelValue | undefined): string {
  if (typeof value !== 'string') throw noSuchOverload();
  return value;
}

function int(value: CelValue | undefined): number {
  if (value === undefined || !isInt(value)) throw noSuchOverload();
  return Number(value);
}
