import type { Clock, Random } from '@evenkeel/core';
import type { KindCatalog } from '../catalog/kind-catalog.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { ObjectCodec } from '../kind/object-codec.ts';
import type { ObjectRegistry } from '../registry/object-registry.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { WatchStream } from './watch-stream.ts';

/** The parts of a server that answering a request takes. */
export interface ServerResources {
  readonly store: ObjectStore;
  readonly catalog: KindCatalog;
  readonly registry: ObjectRegistry;
  readonly clock: Clock;
  readonly random: Random;
  /** What follows from a write and has to have happened when it is answered: kinds that a definition serves. */
  consequences(kind: KindDescription): Promise<void> | undefined;
  /** Watches that are open; closing the server ends them. */
  readonly watches: Set<WatchStream>;
}

/** A request to a kind, once it is known to be served. */
export interface ResourceRequest {
  readonly server: ServerResources;
  readonly context: RequestContext;
  readonly request: ApiRequest;
  readonly kind: KindDescription;
  readonly codec: ObjectCodec;
}
