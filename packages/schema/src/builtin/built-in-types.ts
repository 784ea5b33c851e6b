import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';
import { type BuiltInSchema, structuralSchemaOf } from './structural-schema-of.ts';

/** Built-in types by their names in the API server's OpenAPI, such as `io.k8s.api.core.v1.PodTemplateSpec`. */
export class BuiltInTypes {
  readonly #types = new Map<string, BuiltInType>();

  /** A type, always the same for the same name. Its schema is available after {@link load}. */
  typeOf(definition: string): BuiltInType {
    const type = this.#types.get(definition) ?? new BuiltInType(definition);
    this.#types.set(definition, type);
    return type;
  }

  /**
   * Loads the schemas of all types that `typeOf` has returned. Most take a few milliseconds, because the kinds package reads
   * only the needed parts.
   *
   * @throws RangeError if a definition does not exist
   */
  async load(): Promise<void> {
    await Promise.all([...this.#types.values()].map((type) => type.load()));
  }
}

export class BuiltInType {
  readonly definition: string;
  #node: SchemaNode | undefined;

  constructor(definition: string) {
    this.definition = definition;
  }

  /** `PodTemplateSpec`. */
  get name(): string {
    return this.definition.slice(this.definition.lastIndexOf('.') + 1);
  }

  async load(): Promise<void> {
    this.#node ??= await schemaOf(this.definition);
  }

  /** Its schema: a new tree for each call, which the caller may change. */
  schema(): BuiltInSchema {
    if (this.#node === undefined) throw new RangeError(`the definition "${this.definition}" has not been loaded`);
    return structuralSchemaOf(this.#node);
  }
}
