import { messageFields, packages } from './generated/message-fields.ts';

export type FieldType =
  | { readonly kind: 'string' | 'boolean' | 'integer' | 'double' | 'bytes' }
  | { readonly kind: 'time' | 'micro-time' | 'int-or-string' | 'quantity' | 'raw' }
  | { readonly kind: 'message'; readonly definition: string }
  /** A list that is a message of its own, such as `ExtraValue`. */
  | { readonly kind: 'list' | 'named-list' | 'map'; readonly element: FieldType };

export interface MessageField {
  /** In JSON; empty where the message's fields stand in place of it. */
  readonly name: string;
  readonly type: FieldType;
  /** Whether Go tells zero from nothing. */
  readonly pointer: boolean;
}

const simple = {
  s: 'string',
  b: 'boolean',
  i: 'integer',
  d: 'double',
  y: 'bytes',
  T: 'time',
  U: 'micro-time',
  O: 'int-or-string',
  Q: 'quantity',
  R: 'raw',
} as const;

// What never changes is read once: the line of each message, and the fields of those that were asked for.
let lines: ReadonlyMap<string, string> | undefined;
const known = new Map<string, ReadonlyMap<number, MessageField>>();

/** The fields of a type by their numbers, by the type's definition; undefined for types without a protobuf form. */
export function messageFieldsOf(definition: string): ReadonlyMap<number, MessageField> | undefined {
  const found = known.get(definition);
  if (found !== undefined) return found;
  lines ??= new Map(messageFields.split('\n').map(parseLine));
  const line = lines.get(definition);
  if (line === undefined) return undefined;
  const fields = new Map(line === '' ? [] : line.split(',').map(parseField));
  known.set(definition, fields);
  return fields;
}

function parseLine(line: string): [string, string] {
  const equals = line.indexOf('=');
  return [definitionOf(line.slice(0, equals)), line.slice(equals + 1)];
}

/** `4:strategy @3.DeploymentStrategy`: number, name, `*` for a pointer, `^` for a message that stands inline, type. */
function parseField(text: string): [number, MessageField] {
  const match = /^(\d+)(?:\^|:([^* ]*))(\*?) (.*)$/.exec(text);
  if (match === null) throw new Error(`unreadable field ${text}`);
  const [, number, name = '', pointer, type = ''] = match;
  return [Number(number), { name, pointer: pointer === '*', type: parseType(type) }];
}

function parseType(code: string): FieldType {
  const first = code[0] ?? '';
  const rest = code.slice(1);
  if (first === '@') return { kind: 'message', definition: definitionOf(rest) };
  if (first === '[') return { kind: 'list', element: parseType(rest) };
  if (first === 'A') return { kind: 'named-list', element: parseType(rest) };
  if (first === '{') return { kind: 'map', element: parseType(rest) };
  if (!Object.hasOwn(simple, first)) throw new Error(`unreadable type ${code}`);
  return { kind: simple[first as keyof typeof simple] };
}

function definitionOf(short: string): string {
  const dot = short.indexOf('.');
  return `${packages[Number(short.slice(0, dot))]}.${short.slice(dot + 1)}`;
}
