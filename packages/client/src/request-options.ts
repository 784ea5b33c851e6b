/** The options of every request. */
export interface RequestOptions {
  /** Aborts the request; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** The options of a request that changes objects. */
export interface WriteOptions extends RequestOptions {
  /** If true, the server checks everything and stores nothing. */
  dryRun?: boolean;
  /** How to treat unknown and duplicate fields. Default: the server's, which is `Warn`. An apply is always strict. */
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  /** Default: the client's own. */
  fieldManager?: string;
}

/** The options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes over fields of other managers instead of failing with a conflict. Default: false. */
  force?: boolean;
}
