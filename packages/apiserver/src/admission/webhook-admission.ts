import type { Random } from '@evenkeel/core';
import type { MatchConditions } from '@evenkeel/schema/evaluate';
import {
  copyJson,
  goJsonError,
  goQuote,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  jsonKindOf,
  parseJson,
} from '../apimachinery/index.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import { DecodingError } from '../kind/object-codec.ts';
import { randomUid } from '../kind/random-name.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import type { AdmissionRequest } from '../registry/write-request.ts';
import { forbidden, internalError } from '../status/refusal.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { tooDeepAt } from '../text/json-text.ts';
import { WebhookCallError } from '../webhook/webhook-call-error.ts';
import type { WebhookCaller } from '../webhook/webhook-caller.ts';
import { accessChecks, requestResourceOf } from './access-checks.ts';
import { attributesOf, decodedBack, inVersion, requestIn } from './admitted-request.ts';
import { loadEvaluator } from './evaluator.ts';
import type { MutatingTurn } from './mutating-turn.ts';
import { RequestSelection } from './request-selection.ts';
import type { RequestAttributes } from './resource-rule.ts';
import { type ConfiguredWebhook, WebhookConfigurations, type WebhookSettings } from './webhook-configurations.ts';
import { denial, dryRunUnsupported, WebhookCallFailure } from './webhook-refusal.ts';
import { type AdmissionResponse, InvalidResponse, responseIn, reviewText, reviewVersionOf } from './webhook-review.ts';

/** The server's parts that webhook admission uses. */
export interface WebhookAdmissionOptions {
  readonly store: ObjectStore;
  readonly selection: RequestSelection;
  readonly authorizer: Authorizer;
  readonly caller: WebhookCaller;
  readonly random: Random;
}

/** A webhook whose rules match a request, and the kind in the version that they name. */
interface Invocation {
  readonly webhook: ConfiguredWebhook;
  readonly kind: KindDescription;
}

/**
 * Calls the webhooks of MutatingWebhookConfigurations and ValidatingWebhookConfigurations.
 *
 * Source: apiserver `pkg/admission/plugin/webhook/{generic,mutating,validating}`.
 */
export class WebhookAdmission {
  readonly #mutating: WebhookConfigurations;
  readonly #validating: WebhookConfigurations;
  readonly #selection: RequestSelection;
  readonly #authorizer: Authorizer;
  readonly #caller: WebhookCaller;
  readonly #random: Random;
  /** The compiled conditions of each webhook. Stored webhooks do not change. */
  readonly #conditions = new WeakMap<WebhookSettings, MatchConditions>();

  constructor({ store, selection, authorizer, caller, random }: WebhookAdmissionOptions) {
    this.#mutating = new WebhookConfigurations(store, 'mutatingwebhookconfigurations');
    this.#validating = new WebhookConfigurations(store, 'validatingwebhookconfigurations');
    this.#selection = selection;
    this.#authorizer = authorizer;
    this.#caller = caller;
    this.#random = random;
  }

  /** Whether no webhook is configured. */
  get none(): boolean {
    return this.#mutating.webhooks.length === 0 && this.#validating.webhooks.length === 0;
  }

  /** The mutating webhooks' turns for one request; undefined if there is none to call. */
  mutation(admission: AdmissionRequest): MutatingTurn | undefined {
    if (this.#mutating.webhooks.length === 0 || isExempt(admission)) return undefined;
    const attributes = attributesOf(admission);
    const invocations = this.#invocations(this.#mutating, admission.request.kind, attributes);
    if (invocations.length === 0) return undefined;
    return new WebhookRounds(invocations, {
      isAsked: (one, current) => this.#isAsked(one, attributes, current, true),
      call: (one, current) => this.#call(one, attributes, current, true),
    });
  }

  /** Lets validating webhooks reject the request with a StatusError. Returns undefined if there is no webhook to ask. */
  validate(admission: AdmissionRequest): Promise<void> | undefined {
    if (this.#validating.webhooks.length === 0 || isExempt(admission)) return undefined;
    const attributes = attributesOf(admission);
    const invocations = this.#invocations(this.#validating, admission.request.kind, attributes);
    return invocations.length === 0 ? undefined : this.#validate(invocations, attributes, admission);
  }

  async #validate(
    invocations: readonly Invocation[],
    attributes: RequestAttributes,
    admission: AdmissionRequest,
  ): Promise<void> {
    const asked: Invocation[] = [];
    for (const one of invocations) if (await this.#isAsked(one, attributes, admission, false)) asked.push(one);
    // All are called at once; the first to fail decides, but the request waits for all.
    const failures: unknown[] = [];
    const calls = asked.map(async (one) => {
      try {
        await this.#call(one, attributes, admission, false);
      } catch (error) {
        if (!isIgnored(one, error)) failures.push(error);
      }
    });
    await Promise.all(calls);
    if (failures.length > 0) throw refusalOf(failures[0]);
  }

  #invocations(
    { webhooks }: WebhookConfigurations,
    kind: KindDescription,
    attributes: RequestAttributes,
  ): Invocation[] {
    return webhooks.flatMap((webhook) => {
      const { rules = [], matchPolicy } = webhook.settings;
      const version = this.#selection.kindFor(rules, matchPolicy, kind, attributes);
      return version === undefined ? [] : [{ webhook, kind: version }];
    });
  }

  async #isAsked(
    { webhook, kind }: Invocation,
    attributes: RequestAttributes,
    admission: AdmissionRequest,
    mutating: boolean,
  ): Promise<boolean> {
    if (!this.#selection.selects(webhook, attributes, admission)) return false;
    if ((webhook.settings.matchConditions ?? []).length === 0) return true;
    return this.#meetsConditions(webhook.settings, kind, attributes, admission, mutating);
  }

  /** Throws StatusError 403 if a condition cannot be evaluated, none is false, and the failure policy is Fail. */
  async #meetsConditions(
    settings: WebhookSettings,
    kind: KindDescription,
    attributes: RequestAttributes,
    admission: AdmissionRequest,
    mutating: boolean,
  ): Promise<boolean> {
    const evaluator = await loadEvaluator();
    let conditions = this.#conditions.get(settings);
    if (conditions === undefined) {
      const compiler = new evaluator.AdmissionCompiler();
      conditions = new evaluator.MatchConditions(compiler, settings.matchConditions ?? []);
      this.#conditions.set(settings, conditions);
    }
    const { object, oldObject } = await inVersion(kind, admission, mutating);
    const match = conditions.match(
      new evaluator.AdmissionActivation({
        object: object ?? null,
        oldObject: oldObject ?? null,
        request: requestIn(kind, attributes, admission),
        authorize: accessChecks(this.#authorizer, admission.request.user),
        requestResource: requestResourceOf(attributes),
      }),
    );
    if (typeof match === 'boolean') return match;
    if (settings.failurePolicy === 'Ignore') return false;
    const { resource, name } = attributes;
    throw forbidden({ group: resource.group, plural: resource.resource }, name, match.failure);
  }

  /** Returns the changed object, or undefined if the webhook changes nothing. */
  async #call(
    { webhook, kind }: Invocation,
    attributes: RequestAttributes,
    admission: AdmissionRequest,
    mutating: boolean,
  ): Promise<ApiObject | undefined> {
    const { settings } = webhook;
    const { name, sideEffects } = settings;
    const { request } = admission;
    if (request.dryRun && sideEffects !== 'None' && sideEffects !== 'NoneOnDryRun') throw dryRunUnsupported(name);
    const version = reviewVersionOf(settings.admissionReviewVersions) ?? 'v1';
    const { object, oldObject } = await inVersion(kind, admission, mutating);
    const uid = randomUid(this.#random);
    const body = reviewText(version, uid, requestIn(kind, attributes, admission), object, oldObject);
    let response: AdmissionResponse;
    try {
      const review = await this.#caller.call(settings.clientConfig, {
        body,
        ...(settings.timeoutSeconds !== undefined && { timeoutSeconds: settings.timeoutSeconds }),
      });
      response = responseIn(review, version, uid, mutating);
    } catch (error) {
      if (error instanceof WebhookCallError)
        throw new WebhookCallFailure(name, `failed to call webhook: ${error.message}`);
      if (!(error instanceof InvalidResponse)) throw error;
      const what = error.undecodable ? 'failed to call webhook' : 'received invalid webhook response';
      throw new WebhookCallFailure(name, `${what}: ${error.message}`);
    }
    for (const warning of response.warnings) request.warn(warning);
    if (!response.allowed) throw denial(name, response.status);
    if (response.patch === undefined) return undefined;
    const patched = patchedBy(name, response, object);
    if (patched === undefined || object === undefined) return undefined;
    const changed = await this.#decoded(kind, admission, patched);
    // Compared before defaults are set, as upstream does.
    return jsonEqual(patched, object) ? undefined : changed;
  }

  async #decoded(kind: KindDescription, admission: AdmissionRequest, patched: JsonObject): Promise<ApiObject> {
    try {
      return await decodedBack(kind, admission, patched);
    } catch (error) {
      if (error instanceof DecodingError) throw internalError(error.message);
      throw error;
    }
  }
}

interface MutatingCalls {
  isAsked(one: Invocation, admission: AdmissionRequest): Promise<boolean>;
  /** Returns the changed object, or undefined if the webhook changes nothing. */
  call(one: Invocation, admission: AdmissionRequest): Promise<ApiObject | undefined>;
}

/** The calls of mutating webhooks for one request, in order, and once more those that ask for it if something changed. */
class WebhookRounds implements MutatingTurn {
  readonly #invocations: readonly Invocation[];
  readonly #webhooks: MutatingCalls;
  /** Webhooks that want to see later changes and have been called since the latest one. */
  readonly #invoked = new Set<ConfiguredWebhook>();
  readonly #toReinvoke = new Set<ConfiguredWebhook>();
  #output: ApiObject | undefined;

  constructor(invocations: readonly Invocation[], webhooks: MutatingCalls) {
    this.#invocations = invocations;
    this.#webhooks = webhooks;
  }

  async run(admission: AdmissionRequest, reinvocation: boolean): ReturnType<MutatingTurn['run']> {
    if (reinvocation && !jsonEqual(this.#output, admission.object)) this.#requireReinvocation();
    const called = reinvocation
      ? this.#invocations.filter(({ webhook }) => this.#toReinvoke.has(webhook))
      : this.#invocations;
    let current = admission;
    let changed = false;
    for (const one of called) {
      if (!(await this.#webhooks.isAsked(one, current))) continue;
      try {
        const object = await this.#webhooks.call(one, current);
        if (object !== undefined) {
          current = { ...current, object };
          changed = true;
          this.#requireReinvocation();
        }
      } catch (error) {
        if (!isIgnored(one, error)) throw refusalOf(error);
      }
      if (one.webhook.settings.reinvocationPolicy === 'IfNeeded') this.#invoked.add(one.webhook);
    }
    this.#output = current.object && copyJson(current.object);
    return { object: current.object, changed };
  }

  #requireReinvocation(): void {
    for (const webhook of this.#invoked) this.#toReinvoke.add(webhook);
    this.#invoked.clear();
  }
}

/** The patched JSON; undefined for an empty patch. Throws StatusError 500 if the patch cannot be applied. */
function patchedBy(
  webhook: string,
  { patch: text = '', patchType }: AdmissionResponse,
  object: ApiObject | undefined,
): JsonObject | undefined {
  try {
    const patch = parsedPatch(webhook, text);
    if (patch === null || (Array.isArray(patch) && patch.length === 0)) return undefined;
    if (object === undefined) {
      const what = `admission webhook ${goQuote(webhook)} attempted to modify the object`;
      throw new Error(`${what}, which is not supported for this operation`);
    }
    if (patchType !== 'JSONPatch') {
      throw new WebhookCallFailure(webhook, `unsupported patch type ${goQuote(patchType)}`);
    }
    const patched = applyJsonPatch(object as unknown as JsonObject, patch);
    if (!isJsonObject(patched)) throw new Error('the patched value is not an object');
    return patched;
  } catch (error) {
    if (error instanceof WebhookCallFailure) throw error;
    // A patch that does not apply has a general message for the clients of PATCH.
    const { cause, message } = error as Error;
    throw internalError(cause instanceof Error ? cause.message : message);
  }
}

/** Kinds that no webhook is called for, so that a webhook cannot block its own repair. */
const exemptKinds = new Set([
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
]);

function isExempt({ request }: AdmissionRequest): boolean {
  const { group, kind } = request.kind.names;
  return group === 'admissionregistration.k8s.io' && exemptKinds.has(kind);
}

function parsedPatch(webhook: string, text: string): unknown {
  const undecodable = (why: string): Error =>
    new WebhookCallFailure(webhook, `received undecodable patch in webhook response: ${why}`);
  const deep = tooDeepAt(text);
  if (deep !== undefined) throw undecodable(`invalid character '${deep}' exceeded max depth`);
  let patch: unknown;
  try {
    patch = parseJson(text);
  } catch {
    throw undecodable(goJsonError(text));
  }
  const into = (value: unknown, type: string): Error =>
    undecodable(`json: cannot unmarshal ${jsonKindOf(value)} into Go value of type jsonpatch.${type}`);
  if (patch !== null && !Array.isArray(patch)) throw into(patch, 'Patch');
  const wrong = (patch ?? []).find((operation: unknown) => operation !== null && !isJsonObject(operation));
  if (wrong !== undefined) throw into(wrong, 'Operation');
  return patch;
}

function isIgnored({ webhook }: Invocation, error: unknown): boolean {
  return error instanceof WebhookCallFailure && webhook.settings.failurePolicy === 'Ignore';
}

function refusalOf(error: unknown): unknown {
  return error instanceof WebhookCallFailure ? error.refusal : error;
}
