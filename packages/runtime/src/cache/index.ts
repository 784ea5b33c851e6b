export { type AppliedFields, appliedFieldsIn, appliedFieldsOf, type OwnedFields } from './applied-fields.ts';
export { Cache, type CacheOptions, type CacheUsage, type KindCacheOptions, narrowsKind } from './cache.ts';
export type { CachedObject } from './cached-object.ts';
export {
  Informer,
  type InformerHandler,
  type InformerHealth,
  type InformerProblem,
  type WatchState,
} from './informer.ts';
export type { InformerScope } from './informer-scope.ts';
export { Lister, type ListerListOptions } from './lister.ts';
export type { ObjectTransform } from './object-decoder.ts';
export { compareResourceVersions } from './resource-version.ts';
export { checkNamespaces } from './scope.ts';
export type { IndexFunction } from './store.ts';
