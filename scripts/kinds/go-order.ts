import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Definition } from './definitions.ts';
import type { Message } from './message-modules.ts';

/**
 * Returns the definitions with their properties in the order of the Go structs, in which the API server writes them, and with
 * `x-go-omitempty` at those that it omits if they are zero. The generated protobuf messages contain both. The properties of a
 * definition without a message keep their order.
 */
export function inGoOrder(
  definitions: ReadonlyMap<string, Definition>,
  protobufFolder: string,
): Map<string, Definition> {
  const messages = messagesIn(protobufFolder);
  return new Map(
    [...definitions].map(([name, definition]) => {
      const message = messages.get(name);
      return [name, message === undefined ? definition : orderedDefinition(definition, message)];
    }),
  );
}

function messagesIn(folder: string): Map<string, Message> {
  const files = existsSync(folder) ? globSync('*.ts', { cwd: folder }).filter((file) => file !== 'index.ts') : [];
  return new Map(
    files.flatMap((file) => {
      const [, text = '{}'] = /`(.*)`/s.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
      return Object.entries(JSON.parse(text) as Record<string, Message>);
    }),
  );
}

function orderedDefinition(definition: Definition, message: Message): Definition {
  const { properties = {} } = definition;
  const fields = new Map(fieldsOf(message));
  // The messages of objects do not have these two, which are the first in Go.
  const order = [...['kind', 'apiVersion'].filter((name) => !fields.has(name)), ...fields.keys()];
  const names = [...new Set([...order.filter((name) => Object.hasOwn(properties, name)), ...Object.keys(properties)])];
  if (names.length === 0) return definition;
  const ordered = names.map((name): [string, Definition] => {
    const property = properties[name] ?? {};
    return [name, (fields.get(name) ?? 0) < 0 ? { ...property, 'x-go-omitempty': true } : property];
  });
  return { ...definition, properties: Object.fromEntries(ordered) };
}

function fieldsOf(message: Message): [name: string, number: number][] {
  return Object.entries(message).flatMap(([name, field]): [string, number][] =>
    typeof field === 'number' ? [[name, field]] : fieldsOf(field),
  );
}
