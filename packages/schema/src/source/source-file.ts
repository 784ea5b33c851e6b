/**
 * What the text of a module says that the running program has forgotten: comments, types, optionality, lines. The
 * values are plain data so that another parser can stand behind {@link SourceReader}.
 */
export interface SourceFile {
  readonly path: string;
  /** Classes by their local name. */
  readonly classes: ReadonlyMap<string, ClassSource>;
  /** Type aliases and enums by their local name. */
  readonly types: ReadonlyMap<string, AliasSource>;
  /** Interfaces by their local name; the parts of one that is declared in several are put together. */
  readonly interfaces: ReadonlyMap<string, ClassSource>;
  /** Constants whose values TypeScript knows (`as const`, a literal, an enum), by their local name. */
  readonly constants: ReadonlyMap<string, ConstantSource>;
  /** Imports by their local name. */
  readonly imports: ReadonlyMap<string, ImportSource>;
  /** Local names by the name they are exported under. */
  readonly exports: ReadonlyMap<string, string>;
  /** Names exported from another module. `*` as `exported` stands for all of its names. */
  readonly reExports: readonly ReExportSource[];
  /** Where it does not parse; what could be read all the same is in the rest. */
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
  /** Erased by the compiler, so that the module need not have been loaded. */
  readonly typeOnly: boolean;
}

export interface ReExportSource extends ImportSource {
  readonly exported: string;
}

/** A class, an interface, or the members that a type lists in braces. */
export interface ClassSource {
  /** Empty for a type without a name. */
  readonly name: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly description?: string;
  /** The names of its type parameters. */
  readonly parameters: readonly string[];
  /** What it extends, where that is a name: at most one for a class. */
  readonly bases: readonly ReferenceType[];
  readonly properties: ReadonlyMap<string, PropertySource>;
  /** The line of an index signature beside the properties, of which a schema knows nothing. */
  readonly indexSignatureLine?: number;
  readonly isAbstract?: true;
  /** Those above a class that are names, called or not. */
  readonly decorators?: readonly DecoratorSource[];
}

export interface DecoratorSource {
  /** As it is written, with dots where it leads through a namespace. */
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
  /** Hidden from TypeScript alone: it is there when the program runs. */
  readonly hidden?: 'private' | 'protected';
  /** Names that stand before it as decorators and are not called. */
  readonly uncalled?: readonly string[];
  /** The annotation; undefined where there is none. */
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

/** A type as it is written, as far as a schema can say it. */
export type SourceType =
  | { readonly is: 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'unknown' }
  | { readonly is: 'literal'; readonly value: string | number | boolean }
  /** A string of which some parts are given: `${number}Gi`. */
  | { readonly is: 'template'; readonly text: string }
  | { readonly is: 'union'; readonly of: readonly SourceType[] }
  | { readonly is: 'array'; readonly items: SourceType }
  | TupleType
  | { readonly is: 'record'; readonly keys: SourceType; readonly values: SourceType }
  | { readonly is: 'object'; readonly members: ClassSource }
  | ReferenceType
  /** What a constant is (`typeof X`), one of its members' values (`(typeof X)[keyof typeof X]`), or one of its keys. */
  | { readonly is: 'constant'; readonly name: string; readonly part: 'itself' | 'values' | 'keys' }
  /** A type that was put in the place of a type parameter; its names mean what they mean in `file`. */
  | { readonly is: 'bound'; readonly type: SourceType; readonly file: string }
  /** Nothing that a schema can say; `mend` says what to write instead, where that is known. */
  | { readonly is: 'other'; readonly text: string; readonly mend?: string };

/** A name, with dots where it leads through a namespace, and the types it is given. */
export interface ReferenceType {
  readonly is: 'reference';
  readonly name: string;
  readonly arguments: readonly SourceType[];
}

export interface TupleType {
  readonly is: 'tuple';
  readonly items: readonly SourceType[];
  /** How many of the items must be there. */
  readonly required: number;
  /** The type of any number of further items. */
  readonly rest?: SourceType;
}

/** Reads TypeScript. Throws nothing for text that does not parse: what could be read is returned. */
export interface SourceReader {
  read(path: string, text: string): SourceFile;
}
