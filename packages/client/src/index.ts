/**
 * The client of the Kubernetes API. Operators import most of it from `evenkeel`.
 *
 * @module @evenkeel/client
 */

// For operators.

export {
  type ApplyConfigurationOf,
  Client,
  type DeleteCollectionOptions,
  type DeleteOptions,
  type GetOptions,
  type KeyLike,
  type ListOptions,
  type NewObjectOf,
  type ObjectBody,
  type ObjectList,
  type WatchOptions,
} from './client.ts';
export type { Connection, Credentials } from './connection.ts';
export { type ClientOptions, createClient } from './create-client.ts';
export { evict } from './evict.ts';
export { type HttpsTransportOptions, httpsTransport } from './https-transport.ts';
export { loadConnection } from './kubeconfig/load-connection.ts';
export type { LoadConnectionOptions } from './kubeconfig/load-connection-options.ts';
export type { LogOptions } from './log-options.ts';
export type { JsonPatchOperation, MergePatch, Patch, StrategicMergePatch } from './patch.ts';
export type { ApplyOptions, RequestOptions, WriteOptions } from './request-options.ts';
export type { ObjectOf, RequestedKind, UnstructuredObject, WrittenObject } from './requested-kind.ts';
export { review } from './review.ts';
export type { FieldFilter, LabelFilter } from './selector.ts';
export { serves } from './serves.ts';
export type { Subresource, SubresourceObject } from './subresource.ts';
export type { WatchEvent } from './watch-event.ts';

// For the runtime, and for authors of libraries.

export { type ApiRequest, describeRequest, isDryRun, isRead, methodOf, pathOf, type Verb } from './api-request.ts';
export { acceptOf } from './create-client.ts';
export { type DiscoveredResource, discoverResources } from './discover-resources.ts';
export type { Interceptor } from './interceptor.ts';
export { LineSplitter } from './line-splitter.ts';
export { type RejectionExplainer, rejectionInStream } from './rejection.ts';
export type { RequestObservation, RequestObserver } from './request-observation.ts';
export { readBody } from './response-body.ts';
export { fieldSelectorOf, labelSelectorOf } from './selector.ts';
