import type { ApiStatus } from '@evenkeel/apimachinery/status';
import {
  EvenkeelError,
  formatGroupVersionKind,
  type KubernetesObject,
  type Logger,
  type ObjectValidator,
  StatusError,
  userPlaceOf,
  type WebhookAnswer,
  type WebhookCall,
} from '@evenkeel/core';
import type { WebhookPlan } from '@evenkeel/core/webhook';
import type { WebhookObserver } from '../../metrics/webhook-metrics.ts';
import { textAnswer, type WebhookRoute } from '../webhook-route.ts';
import { type AdmissionRequest, readAdmissionRequest } from './admission-request.ts';
import type { AdmissionRules, RuleOutcome } from './admission-rules.ts';
import { type AdmittedObjects, admittedObjects } from './admitted-object.ts';
import { explainFrozenReview } from './frozen-review.ts';
import type { PatchOperation } from './json-patch.ts';
import { UndecodableReview } from './review-json.ts';
import { AdmissionDenied, RunningReview } from './running-review.ts';
import { validatorErrors } from './validator-findings.ts';

/** The default timeout of an admission webhook. */
const defaultTimeoutMs = 10_000;

/** A method of the user's instance. Its result should be undefined. */
type AdmitMethod = (object: unknown, review: RunningReview) => unknown;

export interface AdmissionRouteOptions {
  readonly plan: WebhookPlan;
  /** The methods of the user's instance, by name. */
  readonly methods: ReadonlyMap<string, AdmitMethod>;
  /** Required if the plan has rules. */
  readonly rules?: AdmissionRules | undefined;
  /** Of the operator. Required if the plan has `schema`. */
  readonly validator?: ObjectValidator | undefined;
  /** Resolves when the caches that the webhook reads have synced. Default: at once. */
  readonly waitForCaches?: (signal: AbortSignal) => Promise<void>;
  readonly maxBodyBytes: number;
  readonly logger: Logger;
  readonly observer?: WebhookObserver | undefined;
}

/** What a webhook decides about a request. */
interface Verdict {
  /** Undefined if the request is accepted. */
  readonly status: ApiStatus | undefined;
  readonly patch: readonly PatchOperation[];
}

/** Serves the admission of one webhook class: reads the review, calls the methods, and responds as docs/webhooks.md describes. */
export class AdmissionRoute implements WebhookRoute {
  readonly path: string;
  readonly maxBodyBytes: number;
  readonly defaultTimeoutMs = defaultTimeoutMs;
  readonly #options: AdmissionRouteOptions;

  constructor(options: AdmissionRouteOptions) {
    this.path = options.plan.path;
    this.maxBodyBytes = options.maxBodyBytes;
    this.#options = options;
  }

  async handle({ body, contentType, signal }: WebhookCall): Promise<WebhookAnswer> {
    if (contentType?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
      return textAnswer(400, 'the content type is not application/json');
    }
    let request: AdmissionRequest;
    try {
      request = readAdmissionRequest(body);
      this.#checkKind(request);
    } catch (error) {
      if (!(error instanceof UndecodableReview)) throw error;
      this.#options.logger.warn('received a body that is not a review of this webhook', { reason: error.message });
      return textAnswer(400, error.message);
    }
    const logger = this.#loggerFor(request);
    try {
      await this.#options.waitForCaches?.(signal);
      // The objects of methods have a prototype, and perhaps a status that the API server does not know.
      const ruled = await this.#ruled(request);
      if (ruled !== undefined && 'status' in ruled)
        return this.#answer(request, undefined, { ...ruled, patch: [] }, logger);
      const objects = admittedObjects(this.#options.plan, request, this.#isOfKind, ruled?.object);
      const review = new RunningReview(request, objects.oldObject, signal, logger);
      const verdict = await this.#review(request, objects, review);
      return this.#answer(request, review, verdict, logger);
    } catch (error) {
      this.#report(error, signal, logger);
      return answerOf(request.uid, undefined, { status: internalError(this.#options.plan, error), patch: [] });
    }
  }

  #answer(
    { uid }: AdmissionRequest,
    review: RunningReview | undefined,
    verdict: Verdict,
    logger: Logger,
  ): WebhookAnswer {
    logger.debug(verdict.status === undefined ? 'accepted a request' : 'rejected a request', {
      message: verdict.status?.message,
    });
    return answerOf(uid, review, verdict);
  }

  /** Whether the objects are of the webhook's kind, and not of the subresource's own. */
  get #isOfKind(): boolean {
    return !kindsOfSubresources.has(this.#options.plan.subresource ?? '');
  }

  /** A wrong configuration could send another kind to the path. */
  #checkKind({ kind }: AdmissionRequest): void {
    const { resource } = this.#options.plan;
    const [given, wanted] = [formatGroupVersionKind(kind), formatGroupVersionKind(resource)];
    if (this.#isOfKind && given !== wanted) {
      throw new UndecodableReview(`request.kind is ${given}, but this webhook reviews ${wanted}`);
    }
  }

  #loggerFor({ uid, operation, kind, namespace, name, subresource, dryRun }: AdmissionRequest): Logger {
    return this.#options.logger.child({
      ...{ uid, operation, kind: kind.kind, name },
      ...(namespace === undefined ? {} : { namespace }),
      ...(subresource === undefined ? {} : { subresource }),
      ...(dryRun ? { dryRun } : {}),
    });
  }

  /** The result of the rules for the request; undefined if the webhook has no rules. */
  async #ruled(request: AdmissionRequest): Promise<RuleOutcome | undefined> {
    try {
      return await this.#options.rules?.review(request);
    } catch (error) {
      const status = error instanceof StatusError ? statusOf(error) : undefined;
      if (status === undefined) throw error;
      return { status };
    }
  }

  async #review(request: AdmissionRequest, objects: AdmittedObjects, review: RunningReview): Promise<Verdict> {
    const { plan, methods } = this.#options;
    try {
      for (const { method, operations } of plan.methods) {
        if (!operations.includes(request.operation)) continue;
        const result = await this.#call(method, request, () => methods.get(method)?.(objects.object, review));
        if (result !== undefined) throw invalidResult(plan, method);
      }
    } catch (error) {
      // A method may throw because the request is denied, or may have caught that and failed later.
      const status = error instanceof StatusError ? statusOf(error) : undefined;
      if (status !== undefined) return { status, patch: [] };
      if (!(error instanceof AdmissionDenied)) throw error;
    }
    this.#validate(request, objects, review);
    const status = review.rejection(request.name);
    return { status, patch: status === undefined ? objects.patch() : [] };
  }

  async #call(method: string, request: AdmissionRequest, call: () => unknown): Promise<unknown> {
    try {
      return await call();
    } catch (error) {
      throw explainFrozenReview(error, this.#options.plan, method, request);
    }
  }

  #validate({ operation }: AdmissionRequest, { object, oldObject }: AdmittedObjects, review: RunningReview): void {
    const { plan, validator } = this.#options;
    if (!plan.schema || validator === undefined || (operation !== 'create' && operation !== 'update')) return;
    const given = object as unknown as KubernetesObject;
    // A finalizer must be able to remove itself from an object that is invalid.
    if (given.metadata?.deletionTimestamp !== undefined) return;
    const errors = validatorErrors(validator, given, oldObject as unknown as KubernetesObject | undefined);
    for (const error of errors) review.reject(error);
  }

  #report(error: unknown, signal: AbortSignal, logger: Logger): void {
    if (signal.aborted) {
      logger.warn('a webhook did not finish before its timeout', { error });
      return;
    }
    this.#options.observer?.threw();
    const place = userPlaceOf(error);
    const at = place === undefined ? {} : { at: `${place.file}:${place.line}` };
    logger.error('a webhook threw; the request was rejected', { error, ...at });
  }
}

/** Subresources whose requests carry objects of other kinds. */
const kindsOfSubresources: ReadonlySet<string> = new Set([
  ...['scale', 'attach', 'exec', 'portforward', 'proxy', 'binding', 'eviction', 'token'],
]);

function invalidResult(plan: WebhookPlan, method: string): EvenkeelError {
  const fix =
    plan.type === 'mutating'
      ? 'change the object that the method gets, and return nothing'
      : 'report problems with review.invalid() or review.deny(), and return nothing';
  return new EvenkeelError(
    'invalid-admission-result',
    `${plan.webhookClass.name}.${method} returned a value, which has no effect; ${fix}`,
  );
}

/** The Status of an error that the user threw; undefined if it would not reject the request. */
function statusOf({ status, code }: StatusError): ApiStatus | undefined {
  return code >= 400 ? { ...status, status: 'Failure', code } : undefined;
}

/** The caller does not get the message of the error, which may contain anything. */
function internalError({ webhookClass }: WebhookPlan, error: unknown): ApiStatus {
  const name = error instanceof Error ? error.name : typeof error;
  return {
    ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
    ...{ message: `${webhookClass.name} failed with ${name}; the log of the operator has the details` },
    ...{ reason: 'InternalError', code: 500 },
  };
}

/** The review with a response. The HTTP status is 200 for every decision, as in controller-runtime. */
function answerOf(uid: string, review: RunningReview | undefined, { status, patch }: Verdict): WebhookAnswer {
  const { warnings = [], annotations = {} } = review ?? {};
  const response = {
    uid,
    allowed: status === undefined,
    ...(status === undefined ? {} : { status }),
    ...(patch.length === 0
      ? {}
      : { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(Object.keys(annotations).length === 0 ? {} : { auditAnnotations: annotations }),
  };
  const body = JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response });
  return { status: 200, body, contentType: 'application/json' };
}
