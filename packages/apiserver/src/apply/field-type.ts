import { type SchemaNode, schemaDefinition } from '@evenkeel/kinds/schemas';

/** The possible forms of a value. A node without a type can have several; the value determines which applies. */
export interface FieldShape {
  readonly scalar: ScalarType | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
}

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListType {
  /** Whether elements are identified by their keys or, in a set, by their value. Otherwise the list is one leaf. */
  readonly associative: boolean;
  /** Sorted; empty for a set. */
  readonly keys: readonly string[];
  /** In the schema's order, for messages. */
  readonly declaredKeys: readonly string[];
  /** Parallel to `keys`: the value of an element without the key; undefined if there is no default. */
  readonly keyDefaults: readonly unknown[];
  readonly element: FieldType;
}

export class MapType {
  /** Whether the map is one leaf. */
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, FieldType>;
  /** The type of values under other keys; undefined if other keys are not allowed. */
  readonly element: FieldType | undefined;

  constructor(atomic: boolean, fields: ReadonlyMap<string, FieldType>, element: FieldType | undefined) {
    this.atomic = atomic;
    this.fields = fields;
    this.element = element;
  }

  /**
   * Returns the type of the value under a key.
   *
   * @throws SchemaMismatch if the key is not allowed.
   */
  typeOf(name: string): FieldType {
    const type = this.fields.get(name) ?? this.element;
    if (type === undefined) throw new SchemaMismatch(`.${name}: field not declared in schema`);
    return type;
  }
}

/** An object that does not fit its kind's schema. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

/**
 * A schema node for ownership, after kube-openapi's `schemaconv`: lists without a list type are atomic, unless an older
 * patch strategy is "merge"; objects without properties may contain anything. Built-in and custom kinds are treated
 * alike.
 *
 * Difference: below a node of `x-kubernetes-preserve-unknown-fields`, unknown fields are accepted at every depth, as
 * upstream, but the metadata of the object itself must always be a valid ObjectMeta.
 */
export class FieldType {
  #shape: FieldShape | undefined;
  readonly #compile: () => FieldShape;

  constructor(compile: () => FieldShape) {
    this.#compile = compile;
  }

  /** Created on first use, because schemas are graphs with cycles. */
  get shape(): FieldShape {
    this.#shape ??= this.#compile();
    return this.#shape;
  }
}

// A cache is safe because compiling is pure. A schema lives as long as its kind is served.
const compiledRoots = new WeakMap<SchemaNode, FieldType>();

/**
 * Returns the type of a kind's objects. `schema`: the kind's root node. Its `metadata` is the node of ObjectMeta, which
 * embedded resources use too.
 */
export function fieldTypeOf(schema: SchemaNode): FieldType {
  let type = compiledRoots.get(schema);
  if (type === undefined) {
    type = new SchemaCompiler(schema).root;
    compiledRoots.set(schema, type);
  }
  return type;
}

/** Anything, as one leaf. */
const untyped: FieldType = new FieldType(() => ({
  scalar: 'untyped',
  list: listType(false, [], untyped),
  map: new MapType(true, new Map(), untyped),
}));

/** Anything: maps field by field, lists as one leaf. */
const deduced: FieldType = new FieldType(() => ({
  scalar: 'untyped',
  list: listType(false, [], untyped),
  map: new MapType(false, new Map(), deduced),
}));

/** Whether a map's fields come only from its content, so that no part of it can have become atomic in the schema. */
export function isDeduced(map: MapType): boolean {
  return map.element === deduced && map.fields.size === 0;
}

const string: FieldType = new FieldType(() => ({ scalar: 'string', list: undefined, map: undefined }));

/**
 * Definitions whose schema does not describe their ownership. `schemaconv.ToSchemaFromOpenAPI` also handles them by
 * name.
 */
const shapesByDefinition = new Map<string, () => FieldShape>([
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', () => ({ scalar: 'untyped', list: undefined, map: undefined })],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', () => untyped.shape],
]);

class SchemaCompiler {
  readonly root: FieldType;
  readonly #metadata: FieldType;
  readonly #types = new Map<SchemaNode, FieldType>();
  readonly #preservingTypes = new Map<SchemaNode, FieldType>();

  constructor(schema: SchemaNode) {
    const metadata = schema.properties?.['metadata'];
    this.#metadata = metadata === undefined ? deduced : this.#typeOf(metadata, false);
    this.root = this.#typeOf(schema, false, true);
  }

  #typeOf(node: SchemaNode, preserving: boolean, isRoot = false): FieldType {
    const types = preserving ? this.#preservingTypes : this.#types;
    let type = types.get(node);
    if (type === undefined) {
      type = new FieldType(() => this.#compile(node, preserving, isRoot));
      types.set(node, type);
    }
    return type;
  }

  #compile(node: SchemaNode, inherited: boolean, isRoot: boolean): FieldShape {
    const known = shapesByDefinition.get(node[schemaDefinition] ?? '');
    if (known !== undefined) return known();
    const preserving = inherited || node['x-kubernetes-preserve-unknown-fields'] === true;
    const isObject = isRoot || node.type === undefined || node.type === 'object';
    const isArray = node.type === undefined || node.type === 'array';
    return {
      scalar: scalarType(node),
      list: isArray && !isRoot ? this.#list(node, preserving) : undefined,
      map: isObject ? this.#map(node, preserving, isRoot) : undefined,
    };
  }

  #map(node: SchemaNode, preserving: boolean, isRoot: boolean): MapType {
    const fields = new Map<string, FieldType>();
    for (const [name, property] of Object.entries(node.properties ?? {})) {
      fields.set(name, this.#typeOf(property, preserving));
    }
    if (isRoot || node['x-kubernetes-embedded-resource'] === true) {
      fields.set('apiVersion', string).set('kind', string).set('metadata', this.#metadata);
    }
    let element: FieldType | undefined;
    const additional = node.additionalProperties;
    if (typeof additional === 'object') element = this.#typeOf(additional, preserving);
    else if (additional === true) element = deduced;
    else if (additional === undefined && (preserving || fields.size === 0)) element = deduced;
    return new MapType(node['x-kubernetes-map-type'] === 'atomic', fields, element);
  }

  #list(node: SchemaNode, preserving: boolean): ListType {
    const element = node.items === undefined ? untyped : this.#typeOf(node.items, preserving);
    const type = node['x-kubernetes-list-type'];
    if (type === 'set') return listType(true, [], element);
    if (type === 'map') return listType(true, node['x-kubernetes-list-map-keys'] ?? [], element, node.items);
    const strategies = type === undefined ? (node['x-kubernetes-patch-strategy'] ?? '').split(',') : [];
    if (!strategies.includes('merge')) return listType(false, [], element);
    const key = node['x-kubernetes-patch-merge-key'];
    return listType(true, key === undefined ? [] : [key], element, node.items);
  }
}

function listType(
  associative: boolean,
  declaredKeys: readonly string[],
  element: FieldType,
  items?: SchemaNode,
): ListType {
  const keys = [...declaredKeys].sort();
  const keyDefaults = keys.map((key) => items?.properties?.[key]?.default);
  return { associative, keys, declaredKeys, keyDefaults, element };
}

function scalarType({ type, format }: SchemaNode): ScalarType | undefined {
  switch (type) {
    case 'object':
    case 'array':
      return undefined;
    case 'integer':
    case 'number':
      return 'numeric';
    case 'boolean':
      return 'boolean';
    case 'string':
      return format === undefined || format === '' || format === 'byte' ? 'string' : 'untyped';
    default:
      return 'untyped';
  }
}
