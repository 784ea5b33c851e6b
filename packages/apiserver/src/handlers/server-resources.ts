import type { Clock, Random } from '@evenkeel/core';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { KindCatalog } from '../catalog/kind-catalog.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { ObjectCodec } from '../kind/object-codec.ts';
import type { ObjectRegistry } from '../registry/object-registry.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { OpenWatches } from './open-watches.ts';

/** The parts of a server that request handlers use. */
export interface ServerResources {
  readonly store: ObjectStore;
  readonly catalog: KindCatalog;
  readonly registry: ObjectRegistry;
  readonly clock: Clock;
  readonly random: Random;
  /** The consequences of a write that must be complete before the response: the kinds that a definition serves. */
  consequences(kind: KindDescription): Promise<void> | undefined;
  /** The open watches; closing the server ends them. */
  readonly watches: OpenWatches;
}

/** A request for a kind that is known to be served. */
export interface ResourceRequest {
  readonly server: ServerResources;
  readonly context: RequestContext;
  readonly request: ApiRequest;
  readonly kind: KindDescription;
  readonly codec: ObjectCodec;
  readonly authorizer: Authorizer;
}
