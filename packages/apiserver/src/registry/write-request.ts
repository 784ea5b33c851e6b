import type { JsonObject } from '../apimachinery/index.ts';
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
  /** The options of a create or an update as the client sent them, without their type. Default: none. */
  readonly options?: object;
  /** The field manager of the write; see `managerNameOf`. */
  readonly manager: string;
  readonly dryRun: boolean;
  warn(message: string): void;
}

/** A write that is about to happen, for admission. */
export interface AdmissionRequest {
  readonly request: WriteRequest;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly name: string;
  /**
   * The object to store, before defaults and the strategy's changes; absent for a DELETE. For a CONNECT, the options of the
   * connection, which have no metadata.
   */
  readonly object?: ApiObject;
  /** The stored object; absent for a CREATE and a CONNECT. */
  readonly current?: ApiObject;
  /** The options of a deletion, in place of those of the request. */
  readonly options?: object;
  /** Decodes a changed object. Default: the codec of the request. */
  readonly decode?: (json: JsonObject) => ApiObject;
}

/** The policies and webhooks that take part in admission. */
export interface DynamicAdmission {
  /** Whether no policy and no webhook is configured. */
  readonly none: boolean;
  /**
   * Lets mutating policies and webhooks change the object, or reject the request with a StatusError. `reinvoke` runs the
   * steps of the server again after a change. Returns undefined if there is nothing to ask. The object in `admission` is not
   * changed.
   */
  mutate(admission: AdmissionRequest, reinvoke: (object: ApiObject) => void): Promise<ApiObject> | undefined;
  /** Lets validating policies and webhooks reject the request with a StatusError. Returns undefined if there is nothing to ask. */
  validate(admission: AdmissionRequest): Promise<void> | undefined;
}

/**
 * A synchronous step that may reject a write with a StatusError, after the validation by the strategy and before
 * validating webhooks. `object` is what will be stored.
 */
export type ValidatingAdmissionStep = (admission: AdmissionRequest) => void;

/** The quotas that take part in admission. */
export interface AdmissionQuota {
  /**
   * Returns what a write adds to quotas; undefined if it adds nothing. Throws StatusError 403 if it exceeds one. Runs
   * last, with the object that will be stored.
   */
  check(admission: AdmissionRequest): QuotaCharge | undefined;
}

export interface QuotaCharge {
  /**
   * Stores the new usage. Must be called in the turn in which the object is stored. Throws StatusError 403 if another
   * write has used the quota since the check.
   */
  commit(): void;
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
 * sender's managed fields are recorded before, so that no manager owns the fields that the step sets.
 */
export type MutatingAdmissionStep = (admission: MutatingAdmissionRequest) => void;

/**
 * A step between decoding and storing that may reject the request with a StatusError. A step that does not wait returns
 * undefined. After a step that waited, an update is computed again if the object has changed.
 */
export type AdmissionStep = (admission: AdmissionRequest) => Promise<void> | undefined;
