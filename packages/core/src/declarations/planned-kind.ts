import type { ApiResource, KindClass } from '../kind/api-resource.ts';
import type { ConcreteClass } from './class-reference.ts';

/** A kind that a controller uses, with its resource on the API server. */
export interface PlannedKind {
  readonly kind: KindClass;
  readonly resource: ApiResource;
}

/** A kind that a controller caches. */
export interface CachedKind extends PlannedKind {
  readonly metadataOnly: boolean;
}

/** A controller and the kind that it reconciles. */
export interface PlannedController extends PlannedKind {
  readonly controllerClass: ConcreteClass;
}
