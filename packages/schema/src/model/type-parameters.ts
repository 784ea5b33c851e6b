import type { ClassSources } from '../source/class-sources.ts';
import type { ClassSource, PropertySource, SourceType } from '../source/source-file.ts';

/**
 * Replaces type parameters by types. The same declaration with the same types gives the same object, so that recursive
 * generic types are detected.
 */
export class TypeParameters {
  static readonly #all = new WeakMap<ClassSources, TypeParameters>();
  readonly #made = new Map<string, ClassSource>();
  readonly #numbers = new Map<ClassSource, number>();

  static of(sources: ClassSources): TypeParameters {
    let parameters = TypeParameters.#all.get(sources);
    if (parameters === undefined) {
      parameters = new TypeParameters();
      TypeParameters.#all.set(sources, parameters);
    }
    return parameters;
  }

  /** A type with its parameters replaced by types from `file`. */
  bind(type: SourceType, names: readonly string[], given: readonly SourceType[], file: string): SourceType {
    return names.length === 0 ? type : this.#replace(type, bindings(names, given, file));
  }

  /** The same for the members of an interface or an object type literal. */
  bindMembers(members: ClassSource, given: readonly SourceType[], file: string): ClassSource {
    const { parameters } = members;
    return parameters.length === 0 ? members : this.#replaceMembers(members, bindings(parameters, given, file));
  }

  /** `Record<'a' | 'b', X>` as members. */
  recordMembers(
    type: Extract<SourceType, { is: 'record' }>,
    keys: readonly (string | number | boolean)[],
    file: string,
  ): ClassSource {
    const key = `record ${file} ${this.keyOf(type)}`;
    return this.#remember(key, () => ({
      name: '',
      file,
      line: 1,
      parameters: [],
      bases: [],
      properties: new Map(
        keys.map((name): [string, PropertySource] => [
          String(name),
          { name: String(name), line: 1, isOptional: false, hasInitializer: false, type: type.values },
        ]),
      ),
    }));
  }

  #replace(type: SourceType, by: ReadonlyMap<string, SourceType>): SourceType {
    const replace = (inner: SourceType): SourceType => this.#replace(inner, by);
    switch (type.is) {
      case 'reference':
        return by.get(type.name) ?? { ...type, arguments: type.arguments.map(replace) };
      case 'union':
        return { is: 'union', of: type.of.map(replace) };
      case 'array':
        return { is: 'array', items: replace(type.items) };
      case 'tuple':
        return {
          ...type,
          items: type.items.map(replace),
          ...(type.rest === undefined ? {} : { rest: replace(type.rest) }),
        };
      case 'record':
        return { is: 'record', keys: replace(type.keys), values: replace(type.values) };
      case 'object':
        return { is: 'object', members: this.#replaceMembers(type.members, by) };
      default:
        return type;
    }
  }

  #replaceMembers(members: ClassSource, by: ReadonlyMap<string, SourceType>): ClassSource {
    const key = `${this.#numberOf(members)} ${[...by].map(([name, type]) => `${name}=${this.keyOf(type)}`).join()}`;
    return this.#remember(key, () => ({
      ...members,
      parameters: [],
      bases: members.bases.map((base) => ({
        ...base,
        arguments: base.arguments.map((argument) => this.#replace(argument, by)),
      })),
      properties: new Map(
        [...members.properties].map(([name, property]) => [
          name,
          property.type === undefined ? property : { ...property, type: this.#replace(property.type, by) },
        ]),
      ),
    }));
  }

  #remember(key: string, make: () => ClassSource): ClassSource {
    const made = this.#made.get(key) ?? make();
    this.#made.set(key, made);
    return made;
  }

  /** A type as a string in which members are numbers. Types with equal strings are the same type. */
  keyOf(type: SourceType): string {
    return JSON.stringify(type, (name, value: unknown) =>
      name === 'members' ? this.#numberOf(value as ClassSource) : value,
    );
  }

  #numberOf(members: ClassSource): number {
    const number = this.#numbers.get(members) ?? this.#numbers.size;
    this.#numbers.set(members, number);
    return number;
  }
}

/** A missing type argument is unknown, even if the parameter has a default. */
function bindings(names: readonly string[], given: readonly SourceType[], file: string): Map<string, SourceType> {
  return new Map(
    names.map((name, index): [string, SourceType] => {
      const type = given[index];
      return [name, type === undefined ? { is: 'unknown' } : type.is === 'bound' ? type : { is: 'bound', type, file }];
    }),
  );
}

/**
 * The type of a property of `chain[index]` in the class at the head of the chain: type parameters of generic base classes
 * are replaced by the type arguments of the classes that extend them.
 */
export function typeInChain(
  type: SourceType,
  chain: readonly ClassSource[],
  index: number,
  parameters: TypeParameters,
): SourceType {
  const names = chain[index]?.parameters ?? [];
  return parameters.bind(type, names, givenTo(chain, index, parameters), '');
}

function givenTo(chain: readonly ClassSource[], index: number, parameters: TypeParameters): SourceType[] {
  const extending = chain[index - 1];
  const base = extending?.bases[0];
  if (extending === undefined || base === undefined) return [];
  const outer = givenTo(chain, index - 1, parameters);
  return base.arguments.map((argument) => ({
    is: 'bound',
    type: parameters.bind(argument, extending.parameters, outer, ''),
    file: extending.file,
  }));
}
