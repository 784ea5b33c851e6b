/**
 * What the text of a module says that the running program has forgotten: comments, types, optionality, lines. The
 * values are plain data so that another parser can stand behind {@link SourceReader}.
 */
export interface SourceFile {
  readonly path: string;
  /** Classes by their local name. */
  readonly classes: ReadonlyMap<string, ClassSource>;
  /** Type aliases and enums by their local name. */
  readonly types: ReadonlyMap<string, SourceType>;
  /** Names of interfaces, to tell the user what to do about them. */
  readonly interfaces: ReadonlySet<string>;
  /** Imports by their local name. */
  readonly imports: ReadonlyMap<string, ImportSource>;
  /** Local names by the name they are exported under. */
  readonly exports: ReadonlyMap<string, string>;
  /** Names exported from another module. `*` as `exported` stands for all of its names. */
  readonly reExports: readonly ReExportSource[];
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

export interface ClassSource {
  readonly name: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly description?: string;
  readonly properties: ReadonlyMap<string, PropertySource>;
}

export interface PropertySource {
  readonly name: string;
  readonly line: number;
  readonly description?: string;
  /** Written with `?`. */
  readonly isOptional: boolean;
  readonly hasInitializer: boolean;
  /** The annotation; undefined where there is none. */
  readonly type?: SourceType;
}

/** A type as it is written, as far as a schema can say it. */
export type SourceType =
  | { readonly is: 'string' | 'number' | 'boolean' | 'null' | 'undefined' | 'unknown' }
  | { readonly is: 'literal'; readonly value: string | number | boolean }
  | { readonly is: 'union'; readonly of: readonly SourceType[] }
  | { readonly is: 'array'; readonly items: SourceType }
  | { readonly is: 'record'; readonly values: SourceType }
  | { readonly is: 'reference'; readonly name: string }
  | { readonly is: 'other'; readonly text: string };

/** Reads TypeScript. Throws nothing for text that does not parse: what could be read is returned. */
export interface SourceReader {
  read(path: string, text: string): SourceFile;
}
