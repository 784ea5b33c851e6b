import type { RequestContext } from '../request/request-context.ts';
import type { ApiObject } from './api-object.ts';
import type { ObjectCodec } from './object-codec.ts';
import type { Strategy } from './strategy.ts';
import type { Subresource } from './subresource.ts';
import type { TablePrinter } from './table-columns.ts';

/** The names under which discovery shows a kind. */
export interface ResourceNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storageVersionHash?: string;
}

/**
 * Everything the pipeline knows of one kind in one version. Built-in and custom kinds have the same description; the
 * pipeline never asks which of the two it serves, except where upstream's answers differ by it ({@link custom}).
 */
export interface KindDescription {
  readonly names: ResourceNames;
  /** A definition made it, rather than the server itself. */
  readonly custom: boolean;
  /** `GROUP/PLURAL`: where the store keeps its objects. Versions of a kind share it. */
  readonly storageKey: string;
  /** There once the codec is loaded. */
  readonly strategy: Strategy;
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** Whether a deletion is answered with the object rather than a Status. */
  readonly returnsDeletedObject: boolean;
  /** For kinds that are answered instead of stored (`SubjectAccessReview`): what a create answers. */
  readonly review?: (context: RequestContext, object: ApiObject) => ApiObject | Promise<ApiObject>;
  /** Warnings that every use of this version carries. */
  readonly deprecationWarning?: string;
  /** Set once the codec is loaded. */
  readonly loadedCodec: ObjectCodec | undefined;
  /**
   * Loads what reading and writing objects needs, once. Built-in schemas and strategies are read when their kind is first
   * used.
   */
  codec(): Promise<ObjectCodec>;
  /** How objects are printed as a Table: loaded when somebody asks for one, for none but kubectl does. */
  printer(): Promise<TablePrinter>;
}
