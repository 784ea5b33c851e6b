import type { ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { ObjectCodec } from '../kind/object-codec.ts';
import type { StrategyContext } from '../kind/strategy.ts';
import type { Subresource } from '../kind/subresource.ts';
import type { UserInfo } from '../request/user-info.ts';

/** A write as the registry sees it, with its kind, user and options. */
export interface WriteRequest {
  readonly kind: KindDescription;
  readonly codec: ObjectCodec;
  readonly user: UserInfo;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  /** Empty for a create. */
  readonly name: string;
  readonly subresource?: { readonly name: string; readonly rules: Subresource };
  /** The field manager of the write; see `managerNameOf`. */
  readonly manager: string;
  readonly dryRun: boolean;
  warn(message: string): void;
}

/** A write that is about to happen, for admission. */
export interface AdmissionRequest {
  readonly request: WriteRequest;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly name: string;
  /** The object to store, before defaults and the strategy's changes; absent for a DELETE. */
  readonly object?: ApiObject;
  /** The stored object; absent for a CREATE and a DELETE. */
  readonly current?: ApiObject;
}

/** An object that is about to be stored, for admission steps that change it. */
export interface MutatingAdmissionRequest {
  readonly request: WriteRequest;
  readonly operation: 'CREATE' | 'UPDATE';
  /** The object with its defaults. The step changes it in place. */
  readonly object: ApiObject;
  /** The stored object; absent for a CREATE. */
  readonly current?: ApiObject;
  readonly context: StrategyContext;
}

/**
 * A synchronous step that changes an object, or rejects it with a StatusError, before its strategy prepares it. The
 * sender's managed fields are recorded before, so that no manager owns the fields that the step sets. Writes to
 * subresources skip it.
 */
export type MutatingAdmissionStep = (admission: MutatingAdmissionRequest) => void;

/**
 * A step between decoding and storing that may reject the request with a StatusError. A step that does not wait returns
 * undefined. After a step that waited, an update is computed again if the object has changed.
 */
export type AdmissionStep = (admission: AdmissionRequest) => Promise<void> | undefined;
