/**
 * The information in the source of a module that does not exist at run time: comments, types, optionality, lines. The
 * values are plain data, so that another parser can implement {@link SourceReader}.
 */
export interface SourceFile {
  readonly path: string;
  /** Classes by their local name. */
  readonly classes: ReadonlyMap<string, ClassSource>;
  /** Type aliases and enums by their local name. */
  readonly types: ReadonlyMap<string, AliasSource>;
  /** Interfaces by their local name, with all declarations of one name merged. */
  readonly interfaces: ReadonlyMap<string, ClassSource>;
  /** Constants with known values (`as const`, a literal, an enum), by their local name. */
  readonly constants: ReadonlyMap<string, ConstantSource>;
  /** Imports by their local name. */
  readonly imports: ReadonlyMap<string, ImportSource>;
  /** Local names by exported name. */
  readonly exports: ReadonlyMap<string, string>;
  /** Names exported from another module. `*` as `exported` means all of its names. */
  readonly reExports: readonly ReExportSource[];
  /** The syntax errors. The other fields contain the parts that could be read. */
  readonly mistakes: readonly SourceMistake[];
}

export interface SourceMistake {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

export interface ImportSource {
  readonly specifier: string;
  /** The name in the other module: `default`, or `*` for the namespace. */
  readonly name: string;
  /** Whether the compiler erases it, so that the module may not be loaded. */
  readonly typeOnly: boolean;
}

export interface ReExportSource extends ImportSource {
  readonly exported: string;
}

/** A class, an interface, or the members of an object type literal. */
export interface ClassSource {
  /** Empty for a type without a name. */
  readonly name: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly description?: string;
  /** The names of its type parameters. */
  readonly parameters: readonly string[];
  /** The names that it extends: at most one for a class. */
  readonly bases: readonly ReferenceType[];
  readonly properties: ReadonlyMap<string, PropertySource>;
  /** The line of an index signature beside the properties, which a schema cannot express. */
  readonly indexSignatureLine?: number;
  readonly isAbstract?: true;
  /** The decorators above a class that are names, called or not. */
  readonly decorators?: readonly DecoratorSource[];
}

export interface DecoratorSource {
  /** As in the source, with dots after namespaces. */
  readonly name: string;
  /** Written with parentheses. */
  readonly isCalled: boolean;
}

export interface PropertySource {
  readonly name: string;
  readonly line: number;
  readonly description?: string;
  /** Written with `?`. */
  readonly isOptional: boolean;
  readonly hasInitializer: boolean;
  /** Hidden only in TypeScript: the property exists at run time. */
  readonly hidden?: 'private' | 'protected';
  /** The names of its decorators that are not called. */
  readonly uncalled?: readonly string[];
  /** The type annotation; undefined if there is none. */
  readonly type?: SourceType;
}

/** `type Name<Parameters> = type`. */
export interface AliasSource {
  readonly parameters: readonly string[];
  readonly type: SourceType;
}

export interface ConstantSource {
  /** The members of an object or an array, by their keys; undefined for a single value. */
  readonly members?: ReadonlyMap<string, SourceType>;
  readonly type: SourceType;
}

/** A declared type, as far as a schema can express it. */
export type SourceType =
  | { readonly is: 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'unknown' }
  | { readonly is: 'literal'; readonly value: string | number | boolean }
  /** A template literal type: `${number}Gi`. */
  | { readonly is: 'template'; readonly text: string }
  | { readonly is: 'union'; readonly of: readonly SourceType[] }
  | { readonly is: 'array'; readonly items: SourceType }
  | TupleType
  | { readonly is: 'record'; readonly keys: SourceType; readonly values: SourceType }
  | { readonly is: 'object'; readonly members: ClassSource }
  | ReferenceType
  /** The type of a constant (`typeof X`), of its members' values (`(typeof X)[keyof typeof X]`), or of its keys. */
  | { readonly is: 'constant'; readonly name: string; readonly part: 'itself' | 'values' | 'keys' }
  /** A type that replaced a type parameter; its names are resolved in `file`. */
  | { readonly is: 'bound'; readonly type: SourceType; readonly file: string }
  /** A type that a schema cannot express; `fix` is the fix, if known. */
  | { readonly is: 'other'; readonly text: string; readonly fix?: string };

/** A name, with dots after namespaces, and its type arguments. */
export interface ReferenceType {
  readonly is: 'reference';
  readonly name: string;
  readonly arguments: readonly SourceType[];
}

export interface TupleType {
  readonly is: 'tuple';
  readonly items: readonly SourceType[];
  /** The number of required items. */
  readonly required: number;
  /** The type of the rest element. */
  readonly rest?: SourceType;
}

/** Reads TypeScript. Does not throw for syntax errors, but returns the parts that could be read. */
export interface SourceReader {
  read(path: string, text: string): SourceFile;
}
