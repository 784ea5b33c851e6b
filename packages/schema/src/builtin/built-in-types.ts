import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { type BuiltInSchema, structuralSchemaOf } from './structural-schema-of.ts';

/** Built-in types that have been loaded, as schemas for CRDs. Most types load in a few milliseconds. */
export class BuiltInTypes {
  readonly #nodes: ReadonlyMap<string, SchemaNode>;

  constructor(nodes: ReadonlyMap<string, SchemaNode> = new Map()) {
    this.#nodes = nodes;
  }

  /**
   * Loads definitions by their names in the API server's OpenAPI, such as `io.k8s.api.core.v1.PodTemplateSpec`.
   *
   * @throws RangeError where there is no such definition
   */
  static async load(definitions: Iterable<string>): Promise<BuiltInTypes> {
    const names = [...new Set(definitions)];
    const nodes = await Promise.all(names.map((name) => schemaOf(name)));
    return new BuiltInTypes(new Map(nodes.map((node, index) => [names[index] ?? '', node])));
  }

  /** The schema of a type that was loaded: a tree of its own, which the caller may change. */
  schema(definition: string): BuiltInSchema {
    const node = this.#nodes.get(definition);
    if (node === undefined) throw new RangeError(`the definition "${definition}" has not been loaded`);
    return structuralSchemaOf(node);
  }

  /**
   * A kind as an embedded resource: `apiVersion`, `kind` and `metadata` are demanded, checked and kept by the API server
   * itself, which allows no schema for them.
   */
  embeddedResource(definition: string): BuiltInSchema {
    const { schema, cuts } = this.schema(definition);
    const properties: Record<string, StructuralSchema> = { ...schema.properties };
    if (Object.hasOwn(properties, 'metadata')) properties['metadata'] = { type: 'object' };
    return { schema: { ...schema, properties, 'x-kubernetes-embedded-resource': true }, cuts };
  }
}
