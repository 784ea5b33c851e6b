import { definitionPackageOf } from './definition.ts';
import { loadMessages, type MemberField, type Message } from './protobuf-message.ts';
import { ProtobufError, ProtobufReader } from './protobuf-reader.ts';
import { decodeWellKnown, type WellKnownContext } from './protobuf-well-known.ts';
import { schemaDefinition } from './schema-definition.ts';
import type { SchemaNode } from './schema-node.ts';
import { schemaOf } from './schema-of.ts';

/**
 * Converts a message to the JSON that Go would write for the same value, without `apiVersion` and `kind`. Throws {@link
 * ProtobufError} for bytes that are not such a message. The time depends only on the number of bytes.
 *
 * The result differs from Go's JSON in one case, which protobuf cannot represent: an empty list or map is absent, even
 * if it is required.
 */
export type ProtobufDecoder = (message: Uint8Array) => Record<string, unknown>;

const jsonSchemaProps = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';

/**
 * Returns the decoder of a type in request bodies: a kind, a kind of one of its subresources, or `DeleteOptions`. Loads
 * its data on first use.
 *
 * @throws RangeError if there is no such type
 */
export async function protobufDecoderOf(definitionName: string): Promise<ProtobufDecoder> {
  const definitionPackage = definitionPackageOf(definitionName);
  const [schema, messages] = await Promise.all([schemaOf(definitionName), loadMessages(definitionPackage)]);
  if (!messages.has(definitionName)) throw new RangeError(`no request body contains a "${definitionName}"`);
  const decoder = new MessageDecoder(
    messages,
    definitionPackage === definitionPackageOf(jsonSchemaProps) ? await schemaOf(jsonSchemaProps) : undefined,
  );
  return (message) => decoder.root(message, schema);
}

/** Deeper than any object that the API server accepts, and far from a stack overflow. */
const depthMax = 100;

class MessageDecoder implements WellKnownContext {
  readonly #messages: ReadonlyMap<string, Message>;
  readonly #jsonSchemaProps: SchemaNode | undefined;

  constructor(messages: ReadonlyMap<string, Message>, jsonSchemaProps: SchemaNode | undefined) {
    this.#messages = messages;
    this.#jsonSchemaProps = jsonSchemaProps;
  }

  root(bytes: Uint8Array, node: SchemaNode): Record<string, unknown> {
    return this.#struct(new ProtobufReader(bytes, messageNameOf(node)), node, {}, 0);
  }

  jsonSchemaProps(reader: ProtobufReader, name: string, depth: number): unknown {
    const node = this.#jsonSchemaProps ?? {};
    return this.#struct(reader.nested(name, 'JSONSchemaProps'), node, {}, depth);
  }

  #struct(
    reader: ProtobufReader,
    node: SchemaNode,
    into: Record<string, unknown>,
    depth: number,
  ): Record<string, unknown> {
    const message = this.#messages.get(node[schemaDefinition] ?? '');
    if (message === undefined) throw new Error(`the message of ${String(node[schemaDefinition])} is unknown`);
    this.#fields(reader, message, node, into, depth);
    return into;
  }

  #fields(
    reader: ProtobufReader,
    message: Message,
    node: SchemaNode,
    into: Record<string, unknown>,
    depth: number,
  ): void {
    if (depth > depthMax) throw new ProtobufError('exceeded max depth');
    while (reader.next()) {
      const field = message.get(reader.field);
      if (field === undefined) reader.skip();
      else if ('inline' in field) {
        this.#fields(reader.nested(messageNameOf(node), messageNameOf(node)), field.inline, node, into, depth + 1);
      } else this.#member(reader, field, node.properties?.[field.property] ?? {}, into, depth);
    }
  }

  /** Reads one occurrence of a field. A list has one for each item; for other types, the last one wins. */
  #member(
    reader: ProtobufReader,
    { property, dropsZero }: MemberField,
    node: SchemaNode,
    into: Record<string, unknown>,
    depth: number,
  ): void {
    const { items, additionalProperties } = node;
    if (items !== undefined) {
      const list = (into[property] ?? []) as unknown[];
      into[property] = list;
      this.#items(reader, property, items, list, depth);
    } else if (typeof additionalProperties === 'object') {
      const map = (into[property] ?? {}) as Record<string, unknown>;
      into[property] = map;
      this.#entry(reader.nested(property, `${property}Entry`), property, additionalProperties, map, depth);
    } else {
      const value = this.#value(reader, property, node, into[property], depth);
      if (dropsZero && (value === '' || value === 0 || value === false)) delete into[property];
      else into[property] = value;
    }
  }

  #items(reader: ProtobufReader, name: string, items: SchemaNode, list: unknown[], depth: number): void {
    if (items.type === 'integer' || items.type === 'boolean') {
      reader.packable(
        name,
        (packed) => this.#value(packed, name, items, undefined, depth),
        (value) => list.push(value),
      );
    } else list.push(this.#value(reader, name, items, undefined, depth));
  }

  #entry(entry: ProtobufReader, name: string, values: SchemaNode, map: Record<string, unknown>, depth: number): void {
    let key = '';
    let value: unknown;
    while (entry.next()) {
      if (entry.field === 1) key = entry.string(name);
      else if (entry.field === 2) value = this.#entryValue(entry, name, values, depth + 1);
      else entry.skip();
    }
    // The key may be any string, and this one would set the prototype.
    Object.defineProperty(map, key, {
      value: value ?? emptyOf(values),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }

  #entryValue(entry: ProtobufReader, name: string, values: SchemaNode, depth: number): unknown {
    if (values.items === undefined) return this.#value(entry, name, values, undefined, depth);
    // The value of a map entry cannot be repeated, so Go wraps the list in a message.
    const list: unknown[] = [];
    const wrapper = entry.nested(name, name);
    while (wrapper.next()) {
      if (wrapper.field === 1) this.#items(wrapper, name, values.items, list, depth);
      else wrapper.skip();
    }
    return list;
  }

  #value(reader: ProtobufReader, name: string, node: SchemaNode, previous: unknown, depth: number): unknown {
    const wellKnown = decodeWellKnown(reader, name, node[schemaDefinition], depth + 1, this);
    if (wellKnown !== undefined) return wellKnown.value;
    switch (node.type) {
      case 'string':
        return node.format === 'byte' ? base64(reader.bytes(name)) : reader.string(name);
      case 'integer':
        return node.format === 'int32' ? reader.int32(name) : reader.int64(name);
      case 'boolean':
        return reader.boolean(name);
      case 'number':
        return finite(reader.double(name));
      default: {
        // Two occurrences of a message are merged.
        const into = (previous ?? {}) as Record<string, unknown>;
        return this.#struct(reader.nested(name, messageNameOf(node)), node, into, depth + 1);
      }
    }
  }
}

function emptyOf(node: SchemaNode): unknown {
  if (node[schemaDefinition]?.endsWith('.resource.Quantity') === true) return '0';
  if (node.type === 'string') return '';
  if (node.type === 'integer' || node.type === 'number') return 0;
  if (node.type === 'boolean') return false;
  return node.items === undefined ? {} : [];
}

function messageNameOf(node: SchemaNode): string {
  const definition = node[schemaDefinition] ?? '';
  return definition.slice(definition.lastIndexOf('.') + 1);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new ProtobufError(`json: unsupported value: ${value}`);
  return value;
}
