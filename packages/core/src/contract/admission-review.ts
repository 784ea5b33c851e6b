import type { FieldError } from '@evenkeel/apimachinery/field-error';
import type { GroupVersionKind } from '../kind/group-version-kind.ts';
import type { Logger } from './logger.ts';

/** What a client does with an object, as webhooks name it. `connect` is a request to a subresource such as `pods/exec`. */
export const admissionOperations = ['create', 'update', 'delete', 'connect'] as const;

/** The operations that the API server sends to webhooks. */
export type AdmissionOperation = (typeof admissionOperations)[number];

/** The client whose request is reviewed, as the API server has authenticated it. */
export interface AdmissionUser {
  /** Empty for an anonymous request of a server that does not name it. */
  readonly username: string;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The resource of a request: the plural and its API version. */
export interface AdmissionResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/**
 * A request that a webhook reviews, and what the webhook says about it. It exists during one call of the method with `@Admit`.
 *
 * The request is accepted if the method returns, and has called neither {@link deny} nor a method that reports a field. All field
 * errors of a call are returned together, in the form in which the API server reports its own. A StatusError that the method
 * throws is returned as it is. Any other error rejects the request with the code 500, whatever the failure policy is.
 *
 * `T` is the type of the object: the kind of the webhook, or `Scale` for the subresource `scale`.
 */
export abstract class AdmissionReview<T = unknown> {
  abstract readonly operation: AdmissionOperation;
  /** The object before an update or a deletion, frozen; undefined for the other operations. */
  abstract readonly oldObject: T | undefined;
  /** Whether nothing is stored. A webhook with side effects must not have them then. */
  abstract readonly dryRun: boolean;
  /** Identifies this call. The API server calls a webhook again with another one if it repeats its admission. */
  abstract readonly uid: string;
  /**
   * The name of the object. Empty in the deletion of a collection, whose objects have their names in their metadata. Older API
   * servers leave it empty also in a creation with `generateName`.
   */
  abstract readonly name: string;
  /** Undefined for cluster-scoped objects, except that it is the name of a Namespace. */
  abstract readonly namespace: string | undefined;
  /** `status`, `scale`, `exec` ...; undefined for the object itself. */
  abstract readonly subresource: string | undefined;
  /** The kind of the object that the webhook gets. */
  abstract readonly kind: GroupVersionKind;
  /** The resource in the version that the webhook gets. */
  abstract readonly resource: AdmissionResource;
  /** The kind that the client sent. It has another version if the API server converted the object for this webhook. */
  abstract readonly requestKind: GroupVersionKind;
  abstract readonly user: AdmissionUser;
  /** The options of the request, such as `fieldManager` in CreateOptions: data of the client. */
  abstract readonly options: Readonly<Record<string, unknown>>;
  /** Aborted when the API server no longer waits for the response. */
  abstract readonly signal: AbortSignal;
  /** Adds the webhook and the request to each line. */
  abstract readonly logger: Logger;

  /**
   * Reports an invalid field, such as `review.invalid('spec.schedule', job.spec.schedule, 'must have five parts')`.
   *
   * @param path as the API server writes it: `spec.ports[0].port`, `metadata.labels[app]`.
   * @param value the rejected value, which the message contains. Do not pass a secret.
   */
  abstract invalid(path: string, value: unknown, detail: string): void;
  /** Reports a missing field. */
  abstract required(path: string, detail?: string): void;
  /** Reports a field that must not be set or changed. */
  abstract forbidden(path: string, detail: string): void;
  /** Reports a value that is not one of the supported values. */
  abstract notSupported(path: string, value: unknown, supported: readonly string[]): void;
  /** Reports a value that another element or object already has. */
  abstract duplicate(path: string, value: unknown): void;
  /** Reports a field error of any type. */
  abstract reject(error: FieldError): void;

  /**
   * Rejects the request with the code 403, and ends the method by throwing. The request stays rejected if the method catches the
   * error.
   */
  abstract deny(message: string): never;

  /**
   * Adds a warning, which clients such as kubectl print, whether the request is accepted or not. If all warnings of a call have more
   * than 4096 characters, each is cut to 256, and the rest is dropped, as the API server does.
   */
  abstract warn(message: string): void;

  /**
   * Adds an annotation to the audit event of the request. The API server puts the name of the webhook before the key.
   *
   * @param key letters, digits, `-`, `_` and `.`, at most 63.
   */
  abstract audit(key: string, value: string): void;
}
