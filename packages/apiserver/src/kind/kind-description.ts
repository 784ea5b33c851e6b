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
  /** The verbs that are served. */
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storageVersionHash?: string | undefined;
}

/**
 * Everything that the pipeline knows about one kind in one version. Built-in and custom kinds have the same
 * description. The pipeline does not distinguish them, except where upstream's responses differ ({@link custom}).
 */
export interface KindDescription {
  readonly names: ResourceNames;
  /** Whether the kind comes from a definition and is not built in. */
  readonly custom: boolean;
  /** Whether the definition is being deleted: objects can be read, changed and deleted, but not created. */
  readonly terminating?: boolean;
  /** `GROUP/PLURAL`: the key under which the store keeps its objects. The versions of a kind share it. */
  readonly storageKey: string;
  /** Available once the codec is loaded. */
  readonly strategy: Strategy;
  readonly subresources: ReadonlyMap<string, Subresource>;
  /** Whether the response to a deletion is the object instead of a Status. */
  readonly returnsDeletedObject: boolean;
  /** For kinds that are not stored (`SubjectAccessReview`): returns the response to a create. */
  readonly review?: (context: RequestContext, object: ApiObject) => ApiObject | Promise<ApiObject>;
  /** The warning that every response for this version contains. */
  readonly deprecationWarning?: string;
  /** Set once the codec is loaded. */
  readonly loadedCodec: ObjectCodec | undefined;
  /**
   * Loads, once, what reading and writing objects needs. Built-in schemas and strategies are loaded when their kind is
   * first used.
   */
  codec(): Promise<ObjectCodec>;
  /** Prints objects as a Table. Loaded on the first request for one, because only kubectl requests them. */
  printer(): Promise<TablePrinter>;
}
