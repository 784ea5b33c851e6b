import { apiVersionOf, parseApiVersion, type Random } from '@evenkeel/core';
import {
  copyJson,
  goJsonError,
  goQuote,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  jsonKindOf,
} from '../apimachinery/index.ts';
import type { KindCatalog } from '../catalog/kind-catalog.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import { DecodingError } from '../kind/object-codec.ts';
import { randomUid } from '../kind/random-name.ts';
import { applyJsonPatch } from '../patch/json-patch.ts';
import type { AdmissionRequest, AdmissionWebhooks } from '../registry/write-request.ts';
import { internalError } from '../status/refusal.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { tooDeepAt } from '../text/json-text.ts';
import { WebhookCallError } from '../webhook/webhook-call-error.ts';
import type { WebhookCaller } from '../webhook/webhook-caller.ts';
import { meetsConditions } from './webhook-conditions.ts';
import { type ConfiguredWebhook, WebhookConfigurations } from './webhook-configurations.ts';
import { denial, dryRunUnsupported, WebhookCallFailure } from './webhook-refusal.ts';
import {
  type AdmissionResponse,
  admissionRequestOf,
  InvalidResponse,
  responseIn,
  reviewText,
  reviewVersionOf,
} from './webhook-review.ts';
import type { WebhookAttributes } from './webhook-rule.ts';
import { WebhookSelection } from './webhook-selection.ts';

/** The server's parts that webhook admission uses. */
export interface WebhookAdmissionOptions {
  readonly store: ObjectStore;
  readonly catalog: KindCatalog;
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
export class WebhookAdmission implements AdmissionWebhooks {
  readonly #mutating: WebhookConfigurations;
  readonly #validating: WebhookConfigurations;
  readonly #selection: WebhookSelection;
  readonly #caller: WebhookCaller;
  readonly #random: Random;

  constructor({ store, catalog, caller, random }: WebhookAdmissionOptions) {
    this.#mutating = new WebhookConfigurations(store, 'mutatingwebhookconfigurations');
    this.#validating = new WebhookConfigurations(store, 'validatingwebhookconfigurations');
    this.#selection = new WebhookSelection(store, catalog);
    this.#caller = caller;
    this.#random = random;
  }

  get none(): boolean {
    return this.#mutating.webhooks.length === 0 && this.#validating.webhooks.length === 0;
  }

  mutate(admission: AdmissionRequest, reinvoke: (object: ApiObject) => void): Promise<ApiObject> | undefined {
    const attributes = attributesOf(admission, this.#mutating);
    if (attributes === undefined) return undefined;
    const invocations = this.#invocations(this.#mutating, admission.request.kind, attributes);
    if (invocations.length === 0) return undefined;
    const rounds = new MutatingRounds(admission, {
      isAsked: (one, current) => this.#isAsked(one, attributes, current, true),
      call: (one, current) => this.#call(one, attributes, current, true),
    });
    return rounds.run(invocations, reinvoke);
  }

  validate(admission: AdmissionRequest): Promise<void> | undefined {
    const attributes = attributesOf(admission, this.#validating);
    if (attributes === undefined) return undefined;
    const invocations = this.#invocations(this.#validating, admission.request.kind, attributes);
    return invocations.length === 0 ? undefined : this.#validate(invocations, attributes, admission);
  }

  async #validate(
    invocations: readonly Invocation[],
    attributes: WebhookAttributes,
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
    attributes: WebhookAttributes,
  ): Invocation[] {
    return webhooks.flatMap((webhook) => {
      const version = this.#selection.kindFor(webhook, kind, attributes);
      return version === undefined ? [] : [{ webhook, kind: version }];
    });
  }

  async #isAsked(
    { webhook, kind }: Invocation,
    attributes: WebhookAttributes,
    admission: AdmissionRequest,
    mutating: boolean,
  ): Promise<boolean> {
    if (!this.#selection.selects(webhook, attributes, admission)) return false;
    if ((webhook.settings.matchConditions ?? []).length === 0) return true;
    const { object, oldObject } = await inVersion(kind, admission, mutating);
    const request = requestIn(kind, attributes, admission);
    return meetsConditions(webhook.settings, attributes, {
      object: object ?? null,
      oldObject: oldObject ?? null,
      request,
    });
  }

  /** Returns the changed object, or undefined if the webhook changes nothing. */
  async #call(
    { webhook, kind }: Invocation,
    attributes: WebhookAttributes,
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
    const changed = await decodedBack(kind, admission, patched);
    // Compared before defaults are set, as upstream does.
    return jsonEqual(patched, object) ? undefined : changed;
  }
}

interface MutatingCalls {
  isAsked(one: Invocation, admission: AdmissionRequest): Promise<boolean>;
  /** Returns the changed object, or undefined if the webhook changes nothing. */
  call(one: Invocation, admission: AdmissionRequest): Promise<ApiObject | undefined>;
}

/** The calls of mutating webhooks for one request, in order, and once more if one of them asks for it and something changed. */
class MutatingRounds {
  #admission: AdmissionRequest;
  readonly #webhooks: MutatingCalls;
  /** Webhooks that want to see later changes and have been called since the latest one. */
  readonly #invoked = new Set<ConfiguredWebhook>();
  readonly #toReinvoke = new Set<ConfiguredWebhook>();
  #changed = false;

  constructor(admission: AdmissionRequest, webhooks: MutatingCalls) {
    this.#admission = admission;
    this.#webhooks = webhooks;
  }

  async run(invocations: readonly Invocation[], reinvoke: (object: ApiObject) => void): Promise<ApiObject> {
    await this.#round(invocations);
    if (this.#changed && this.#admission.object !== undefined) {
      const before = copyJson(this.#admission.object);
      reinvoke(this.#admission.object);
      if (!jsonEqual(before, this.#admission.object)) this.#requireReinvocation();
      await this.#round(invocations.filter(({ webhook }) => this.#toReinvoke.has(webhook)));
    }
    return this.#admission.object as ApiObject;
  }

  async #round(invocations: readonly Invocation[]): Promise<void> {
    for (const one of invocations) {
      if (!(await this.#webhooks.isAsked(one, this.#admission))) continue;
      try {
        const changed = await this.#webhooks.call(one, this.#admission);
        if (changed !== undefined) {
          this.#admission = { ...this.#admission, object: changed };
          this.#changed = true;
          this.#requireReinvocation();
        }
      } catch (error) {
        if (!isIgnored(one, error)) throw refusalOf(error);
      }
      if (one.webhook.settings.reinvocationPolicy === 'IfNeeded') this.#invoked.add(one.webhook);
    }
  }

  #requireReinvocation(): void {
    for (const webhook of this.#invoked) this.#toReinvoke.add(webhook);
    this.#invoked.clear();
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

/** Undefined if no webhook is called for the request. */
function attributesOf(
  { request, operation, name, object, current }: AdmissionRequest,
  { webhooks }: WebhookConfigurations,
): WebhookAttributes | undefined {
  if (webhooks.length === 0) return undefined;
  const { names } = request.kind;
  const { group, version } = names;
  if (group === 'admissionregistration.k8s.io' && exemptKinds.has(names.kind)) return undefined;
  // The kind of a subresource can be another one, such as Scale.
  const { apiVersion, kind } = (object ?? current) as ApiObject;
  const isNamespace = request.kind.storageKey === '/namespaces';
  return {
    operation,
    kind: { ...parseApiVersion(apiVersion), kind },
    resource: { group, version, resource: names.plural },
    subresource: request.subresource?.name ?? '',
    namespace: isNamespace ? name : request.namespace,
    name,
  };
}

function requestIn(
  { names }: KindDescription,
  attributes: WebhookAttributes,
  { request, options }: AdmissionRequest,
): JsonObject {
  const { group, version, kind, plural: resource } = names;
  const isSame = attributes.resource.group === group && attributes.resource.version === version;
  // A subresource with a kind of its own keeps it in every version.
  const keepsKind = isSame || request.kind.names.kind !== attributes.kind.kind;
  return admissionRequestOf({
    attributes,
    kind: keepsKind ? attributes.kind : { group, version, kind },
    resource: { group, version, resource },
    user: request.user,
    dryRun: request.dryRun,
    options: options ?? request.options ?? {},
  });
}

interface VersionedObjects {
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

/** The objects of a request in the version that a webhook asks for. Throws StatusError 500 if they cannot be converted. */
async function inVersion(
  kind: KindDescription,
  { request, object, current }: AdmissionRequest,
  mutating: boolean,
): Promise<VersionedObjects> {
  const shown = object ?? current;
  if (kind === request.kind || shown?.kind !== request.kind.names.kind) return { object, oldObject: current };
  try {
    // Upstream converts the old object first.
    const oldObject = current === undefined ? undefined : await converted(current, request.kind, kind);
    return { object: object === undefined ? undefined : await converted(object, request.kind, kind), oldObject };
  } catch (error) {
    const failure = internalError((error as Error).message);
    // As upstream, which wraps it twice there.
    throw mutating ? internalError(failure.message) : failure;
  }
}

async function converted(
  object: ApiObject,
  from: KindDescription,
  to: KindDescription,
  defaults = false,
): Promise<ApiObject> {
  const [source, target] = await Promise.all([from.codec(), to.codec()]);
  const stored = await source.toStorage(copyJson(object));
  if (!defaults && stored.apiVersion === apiVersionOf(to.names)) return stored;
  await target.prepare?.([stored]);
  return copyJson(target.fromStorage(stored));
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

function parsedPatch(webhook: string, text: string): unknown {
  const undecodable = (why: string): Error =>
    new WebhookCallFailure(webhook, `received undecodable patch in webhook response: ${why}`);
  const deep = tooDeepAt(text);
  if (deep !== undefined) throw undecodable(`invalid character '${deep}' exceeded max depth`);
  let patch: unknown;
  try {
    patch = JSON.parse(text);
  } catch (error) {
    throw undecodable(goJsonError(text, error));
  }
  const into = (value: unknown, type: string): Error =>
    undecodable(`json: cannot unmarshal ${jsonKindOf(value)} into Go value of type jsonpatch.${type}`);
  if (patch !== null && !Array.isArray(patch)) throw into(patch, 'Patch');
  const wrong = (patch ?? []).find((operation: unknown) => operation !== null && !isJsonObject(operation));
  if (wrong !== undefined) throw into(wrong, 'Operation');
  return patch;
}

/** The patched object with its defaults, in the version of the request. */
async function decodedBack(
  kind: KindDescription,
  admission: AdmissionRequest,
  patched: JsonObject,
): Promise<ApiObject> {
  const { request } = admission;
  try {
    if (admission.decode !== undefined) return admission.decode(copyJson(patched));
    const object = (await kind.codec()).decode(copyJson(patched)).object;
    return kind === request.kind ? object : await converted(object, kind, request.kind, true);
  } catch (error) {
    if (error instanceof DecodingError) throw internalError(error.message);
    throw error;
  }
}

function isIgnored({ webhook }: Invocation, error: unknown): boolean {
  return error instanceof WebhookCallFailure && webhook.settings.failurePolicy === 'Ignore';
}

function refusalOf(error: unknown): unknown {
  return error instanceof WebhookCallFailure ? error.refusal : error;
}
