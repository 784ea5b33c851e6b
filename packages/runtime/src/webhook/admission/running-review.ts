import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidStatus,
  notSupported,
  required,
  withinReason,
} from '@evenkeel/apimachinery/field-error';
import { hasQualifiedForm } from '@evenkeel/apimachinery/name-form';
import type { ApiStatus } from '@evenkeel/apimachinery/status';
import {
  type AdmissionOperation,
  type AdmissionResource,
  AdmissionReview,
  type AdmissionUser,
  EvenkeelError,
  type GroupVersionKind,
  type Logger,
} from '@evenkeel/core';
import type { AdmissionRequest } from './admission-request.ts';
import { limitedWarnings } from './warnings.ts';

/** Ends a method that has denied the request. */
export class AdmissionDenied extends Error {
  override readonly name = 'AdmissionDenied';
}

/** The review of one call, with what the methods have reported. */
export class RunningReview extends AdmissionReview {
  readonly operation: AdmissionOperation;
  readonly oldObject: unknown;
  readonly dryRun: boolean;
  readonly uid: string;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly subresource: string | undefined;
  readonly kind: GroupVersionKind;
  readonly resource: AdmissionResource;
  readonly requestKind: GroupVersionKind;
  readonly user: AdmissionUser;
  readonly options: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly #errors: FieldError[] = [];
  readonly #warnings: string[] = [];
  readonly #annotations = new Map<string, string>();
  #denied: string | undefined;

  constructor(request: AdmissionRequest, oldObject: unknown, signal: AbortSignal, logger: Logger) {
    super();
    this.operation = request.operation;
    this.oldObject = oldObject;
    this.dryRun = request.dryRun;
    this.uid = request.uid;
    this.name = request.name;
    this.namespace = request.namespace;
    this.subresource = request.subresource;
    this.kind = request.kind;
    this.resource = request.resource;
    this.requestKind = request.requestKind;
    this.user = request.user;
    this.options = request.options;
    this.signal = signal;
    this.logger = logger;
  }

  invalid(path: string, value: unknown, detail: string): void {
    this.reject(invalid(path, value, detail));
  }

  required(path: string, detail?: string): void {
    this.reject(required(path, detail));
  }

  forbidden(path: string, detail: string): void {
    this.reject(forbidden(path, detail));
  }

  notSupported(path: string, value: unknown, supported: readonly string[]): void {
    this.reject(notSupported(path, value, supported));
  }

  duplicate(path: string, value: unknown): void {
    this.reject(duplicate(path, value));
  }

  reject(error: FieldError): void {
    this.#errors.push(error);
  }

  deny(message: string): never {
    this.#denied ??= message;
    throw new AdmissionDenied(message);
  }

  warn(message: string): void {
    this.#warnings.push(message);
  }

  audit(key: string, value: string): void {
    if (typeof key !== 'string' || key.length > 63 || !hasQualifiedForm(key)) {
      throw new EvenkeelError(
        'invalid-option',
        `review.audit(): invalid key ${JSON.stringify(key)}; use at most 63 letters, digits, '-', '_' and '.'`,
      );
    }
    this.#annotations.set(key, String(value));
  }

  /** The Status of the rejection; undefined if nothing was reported. `name` is that of the object. */
  rejection(name: string): ApiStatus | undefined {
    if (this.#denied !== undefined) {
      return {
        ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
        ...{ message: this.#denied, reason: 'Forbidden', code: 403 },
      };
    }
    return this.#errors.length === 0 ? undefined : invalidStatus(this.kind, name, withinReason(this.#errors));
  }

  get warnings(): readonly string[] {
    return limitedWarnings(this.#warnings);
  }

  get annotations(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#annotations);
  }
}
