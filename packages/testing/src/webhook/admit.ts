import type { JsonObject } from '@evenkeel/apimachinery/json';
import { type Client, createClient } from '@evenkeel/client';
import {
  type AdmissionOperation,
  type AdmissionUser,
  type ApiStatus,
  apiVersionOf,
  type ConcreteClass,
  controllerMistakeText,
  EvenkeelError,
  type HostedWebhooks,
  type KubernetesObject,
  Logger,
  type LogKeys,
  type ObjectValidator,
  type Provider,
  type ServiceEntry,
  type Transport,
} from '@evenkeel/core';
import { planWebhooks, type WebhookPlan } from '@evenkeel/core/webhook';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { EmbeddedServer } from '../server/embedded-server.ts';

/** An object of a test: a whole one, or one without `apiVersion` and `kind`. */
type GivenObject = Pick<KubernetesObject, 'metadata'> | object;

/** The request that a webhook reviews in a unit test. */
export interface AdmitRequest {
  /** Default: `create`, or `update` if there is an old object. */
  readonly operation?: AdmissionOperation;
  /** The object. Not needed for `delete`. It is not changed. */
  readonly object?: GivenObject;
  /** The object before an update or deletion. Not changed. */
  readonly oldObject?: GivenObject;
  /** The client, or only its name. Default: `kubernetes-admin` of the group `system:masters`. */
  readonly user?: string | Partial<AdmissionUser>;
  /** Default: false. */
  readonly dryRun?: boolean;
  /** The options of the request, such as `{ fieldManager: 'kubectl' }`. Default: none. */
  readonly options?: object;
  /** The services of the operator that the webhook needs. Default: none. */
  readonly services?: readonly ServiceEntry[];
  /** Providers that replace services. Default: none. */
  readonly overrides?: readonly Provider[];
  /** The operator's validator, for a webhook with `schema: true`. Rules need none here. */
  readonly validator?: ObjectValidator;
  /**
   * Creates what listers and the client of the webhook find, with an administrator's client of an embedded API server. The server is
   * started only if this is set, or if the webhook has listers. Default: nothing.
   */
  readonly setUp?: (client: Client) => Promise<unknown>;
  /** The CRDs of the custom kinds that the webhook reads. Default: none. */
  readonly definitions?: readonly CustomResourceDefinition[];
}

/** What a webhook decided. */
export interface AdmitResult<T = Record<string, unknown>> {
  readonly allowed: boolean;
  /** The Status of a rejection: 422 with causes, 403, 500 or what the webhook threw. Undefined if the request was accepted. */
  readonly status: ApiStatus | undefined;
  /** The object with the changes of a mutating webhook. The given object if there are none. */
  readonly object: T;
  /** The operations of the JSON patch; empty without a change. */
  readonly patch: readonly object[];
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** What a method of the webhook threw, if the status is 500. */
  readonly error: unknown;
}

interface UnitManager {
  start(): Promise<void>;
  waitUntilReady(): Promise<void>;
  stop(): Promise<unknown>;
}

/**
 * Calls a webhook with one request, as the API server would, and returns its decision. It creates the webhook with `createManager`,
 * so constructor parameters are injected as in an operator.
 *
 * ```ts
 * const { allowed, status } = await admit(createManager, CronJobValidator, { object: job, overrides: [provider({ ... })] });
 * ```
 *
 * Not checked: whether the API server would call the webhook for this request: selectors, conditions and CRD. For that, use an
 * {@link Environment}.
 *
 * @param createManager that of `evenkeel`.
 * @throws EvenkeelError for mistakes of the declarations, and if the webhook has no method for the operation.
 */
export async function admit<T = Record<string, unknown>>(
  createManager: (options: never) => Promise<UnitManager>,
  webhook: ConcreteClass,
  request: AdmitRequest,
): Promise<AdmitResult<T>> {
  const plan = planOf(webhook);
  const { services = [], overrides = [], validator = plan.rules && rulesOnly } = request;
  const operation = request.operation ?? (request.oldObject === undefined ? 'create' : 'update');
  if (!plan.operations.includes(operation)) {
    throw new EvenkeelError(
      'invalid-option',
      `admit(): ${webhook.name} does not review "${operation}"; use ${plan.operations.map((one) => `"${one}"`).join(' or ')}, or add it to @Admit`,
    );
  }
  const logger = new ErrorLog();
  const hosted = Promise.withResolvers<HostedWebhooks>();
  const webhookHost = {
    // The rules of a policy are evaluated in the process.
    policyKinds: async () => [],
    serve: async (webhooks: HostedWebhooks) => {
      hosted.resolve(webhooks);
      return async () => undefined;
    },
  };
  const { params, readsNamespace = false } = plan.rules ?? {};
  const reads = plan.cached.length > 0 || params !== undefined || (readsNamespace && plan.resource.namespaced);
  const needsServer = reads || request.setUp !== undefined;
  const server = needsServer ? await serverWith(request) : undefined;
  const inner = server?.connect() ?? noServer(webhook);
  const transport: Transport = {
    request: (sent) => inner.request(sent),
    close: () => inner.close(),
    webhookHost,
  };
  try {
    const options = { controllers: [], webhooks: [webhook], services, overrides, validator, transport, logger };
    const manager = await createManager(options as never);
    try {
      await manager.start();
      await manager.waitUntilReady();
      const webhooks = await hosted.promise;
      return await decisionOf<T>(webhooks, reviewOf(plan, operation, request), plan, logger);
    } finally {
      await manager.stop();
    }
  } finally {
    await transport.close();
    await server?.close();
  }
}

/** Evaluates rules, and accepts every object. */
const rulesOnly: ObjectValidator = {
  validate: () => [],
  ruleEvaluator: async () => (await import('@evenkeel/schema/evaluate')).ruleEvaluator,
};

function planOf(webhook: ConcreteClass): WebhookPlan {
  const { plans, mistakes } = planWebhooks([webhook]);
  const [mistake] = mistakes;
  if (mistake !== undefined) throw new EvenkeelError(mistake.code, controllerMistakeText(mistake));
  const [plan] = plans;
  if (plan === undefined) throw new Error('bug: a webhook without a mistake has no plan');
  return plan;
}

/** Keeps what the webhook threw, which the response does not contain. */
class ErrorLog extends Logger {
  thrown: unknown;

  debug(): void {}
  info(): void {}
  warn(): void {}

  error(_message: string, keys?: LogKeys): void {
    this.thrown ??= keys?.['error'];
  }

  child(): Logger {
    return this;
  }
}

function noServer(webhook: ConcreteClass): Transport {
  return {
    request: async ({ method, path }) => {
      throw new Error(
        `${webhook.name} sent ${method} ${path.split('?')[0]}, but admit() has no API server without setUp; pass setUp, or replace the service`,
      );
    },
    close: async () => undefined,
  };
}

async function serverWith({ setUp, definitions = [] }: AdmitRequest): Promise<EmbeddedServer> {
  const [{ EmbeddedServer: Server }, { installDefinition }] = await Promise.all([
    import('../server/embedded-server.ts'),
    import('../install-definition.ts'),
  ]);
  // Controllers would change the objects.
  const server = await Server.start({ controllers: false });
  const transport = server.connect();
  const client = createClient(transport, { fieldManager: 'evenkeel-testing', userAgent: 'evenkeel-testing' });
  try {
    for (const definition of definitions) await installDefinition(client, definition);
    await setUp?.(client);
    return server;
  } catch (error) {
    await server.close();
    throw error;
  } finally {
    await transport.close();
  }
}

const administrator: AdmissionUser = {
  username: 'kubernetes-admin',
  uid: undefined,
  groups: ['system:masters', 'system:authenticated'],
  extra: {},
};

/** The body of the call, as the API server sends it. */
function reviewOf(plan: WebhookPlan, operation: AdmissionOperation, request: AdmitRequest): Uint8Array {
  const { resource, subresource, webhookClass } = plan;
  const { group, version, plural } = resource;
  const kind = subresource === 'scale' ? scaleKind : { group, version, kind: resource.kind };
  const isDeletion = operation === 'delete';
  const [object, oldObject] = [isDeletion ? undefined : request.object, request.oldObject].map((given) =>
    given === undefined ? undefined : { apiVersion: apiVersionOf(kind), kind: kind.kind, ...given },
  );
  if ((isDeletion ? oldObject : object) === undefined) {
    const missing = isDeletion ? 'oldObject' : 'object';
    throw new EvenkeelError(
      'invalid-option',
      `admit(): "${operation}" of ${webhookClass.name} needs ${missing}; pass it`,
    );
  }
  const { name, namespace } = metadataOf(object ?? oldObject);
  const { user = {}, dryRun = false, options = {} } = request;
  const userInfo = { ...administrator, ...(typeof user === 'string' ? { username: user, groups: [] } : user) };
  const type = { group, version, resource: plural };
  const review = {
    ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
    request: {
      ...{
        uid: '00000000-0000-4000-8000-000000000000',
        kind,
        resource: type,
        requestKind: kind,
        requestResource: type,
      },
      ...(subresource === undefined ? {} : { subResource: subresource, requestSubResource: subresource }),
      ...{ name, namespace, operation: operation.toUpperCase(), userInfo, dryRun, options },
      ...{ object: object ?? null, oldObject: oldObject ?? null },
    },
  };
  return Buffer.from(JSON.stringify(review));
}

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' };

function metadataOf(object: object | undefined): { readonly name?: string; readonly namespace?: string } {
  return (object as { readonly metadata?: { readonly name?: string; readonly namespace?: string } }).metadata ?? {};
}

interface Response {
  readonly allowed: boolean;
  readonly status?: ApiStatus;
  readonly patch?: string;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

async function decisionOf<T>(
  webhooks: HostedWebhooks,
  body: Uint8Array,
  { path }: WebhookPlan,
  logger: ErrorLog,
): Promise<AdmitResult<T>> {
  const answer = await webhooks.handle({
    ...{ path, body, query: new URLSearchParams('timeout=10s'), contentType: 'application/json' },
    signal: new AbortController().signal,
  });
  if (answer.status !== 200) throw new Error(`the webhook responded with ${answer.status}: ${answer.body.trim()}`);
  const { response } = JSON.parse(answer.body) as { readonly response: Response };
  const { allowed, status, warnings = [], auditAnnotations = {} } = response;
  const { request } = JSON.parse(Buffer.from(body).toString()) as {
    readonly request: { readonly object: JsonObject | null; readonly oldObject: JsonObject | null };
  };
  const given = request.object ?? request.oldObject ?? {};
  const patch = response.patch === undefined ? [] : (JSON.parse(fromBase64(response.patch)) as object[]);
  return {
    ...{ allowed, status, warnings, auditAnnotations, patch },
    object: (patch.length === 0 ? given : (await import('@evenkeel/apiserver')).applyJsonPatch(given, patch)) as T,
    error: logger.thrown,
  };
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString();
}
