import { readFile } from 'node:fs/promises';
import type { Client } from '@evenkeel/client';
import {
  type Clock,
  durationMs,
  EvenkeelError,
  type HostedWebhooks,
  type KindClass,
  type Logger,
  messageOf,
  ObjectKey,
  resourceOf,
  untilAborted,
  type WebhookHost,
} from '@evenkeel/core';
import {
  type CertificateTiming,
  certificateObjects,
  type PlannedCertificates,
  plannedCertificates,
  servingCertificatesDirectory,
  webhookServiceName,
} from '@evenkeel/core/certificates';
import { admissionPolicy, type PolicyPlan, type WebhookPlan, webhookConfigurations } from '@evenkeel/core/webhook';
import type { Informer } from '../cache/informer.ts';
import type { FenceExemption } from '../election/fence-exemption.ts';
import { parseListenAddress } from '../http/listen-address.ts';
import { certificateIn, type ServingCertificate } from '../http/serving-certificate.ts';
import type { Instances } from '../injection/injection.ts';
import { InstanceMethods } from '../injection/instance-methods.ts';
import { construct } from '../injection/instances.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { WebhookObserver } from '../metrics/webhook-metrics.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import type { WebhookServerOptions } from '../options/webhook-server-options.ts';
import type { Runnable } from '../runnable/runnable.ts';
import { AdmissionRoute } from '../webhook/admission/admission-route.ts';
import type { WebhookRoute } from '../webhook/webhook-route.ts';
import { WebhookRouter } from '../webhook/webhook-router.ts';
import { WebhookServer } from '../webhook/webhook-server.ts';
import type { WiredPlan } from './plan-informers.ts';
import { type RuleInformers, wireRules } from './wire-rules.ts';

export const webhookDefaults = {
  /** As in controller-runtime. */
  address: ':9443',
  certificates: servingCertificatesDirectory,
  maxConcurrent: 64,
  maxBodyBytes: 7 * 1024 * 1024,
  maxBytesInFlight: 128 * 1024 * 1024,
  stopDelay: '5s',
} as const satisfies WebhookServerOptions;
const defaultName = 'operator';

/** A webhook with its informers. */
export interface WiredWebhook extends WiredPlan<WebhookPlan> {
  readonly ruleInformers: RuleInformers;
}

export interface WebhookParts {
  readonly webhooks: readonly WiredWebhook[];
  /** The webhooks that the API server evaluates itself. */
  readonly policies: readonly PolicyPlan[];
  readonly instances: Instances;
  /** Writes in every process, for the certificates. */
  readonly client: Client;
  /** Lets the code of webhooks write in every process. */
  readonly exemption: FenceExemption;
  /** The namespace of the operator's pods; undefined if it is unknown. */
  readonly namespace: string | undefined;
  readonly host: WebhookHost | undefined;
  /** Undefined if nothing is measured. */
  readonly registry: MetricsRegistry | undefined;
  /** Counts reads of certificates. */
  readonly certificateRead: (<T>(read: () => Promise<T>) => Promise<T>) | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The webhooks of a manager, not started. */
export interface WiredWebhooks {
  /** In the order of their start. */
  readonly runnables: readonly Runnable[];
  /** The address on which it listens; undefined if it does not listen. */
  readonly address: string | undefined;
  /** Why webhooks cannot be called yet, or would only wait; one sentence each. */
  readonly problems: readonly string[];
  /** Resolves when the webhooks can be called. */
  waitUntilReady(signal?: AbortSignal): Promise<void>;
}

/**
 * Wires webhooks and conversions: their routes, and what calls them. That is the host of a test environment, or else a server over
 * HTTPS. Throws `invalid-option`, `invalid-address` and `certificate-unusable`.
 */
export async function wireWebhooks(options: ManagerOptions, parts: WebhookParts): Promise<WiredWebhooks> {
  const { webhooks, policies, registry, clock, logger, host } = parts;
  const { webhook = {}, conversions = [], name = defaultName } = options;
  // A test environment needs no certificates, and finds this mistake too.
  const certificates = plannedCertificates(options.webhookServer);
  const plans = webhooks.map(({ plan }) => plan);
  const paths = [...plans.map(({ path }) => path), ...(conversions.length === 0 ? [] : ['/convert'])];
  const observer = registry === undefined ? undefined : await observerIn(registry, paths);
  const routes: WebhookRoute[] = [];
  for (const wired of webhooks) routes.push(await admissionRoute(wired, options, observer, parts));
  if (conversions.length > 0) {
    const { ConversionRoute } = await import('../webhook/conversion/conversion-route.ts');
    const threw = observer === undefined ? {} : { threw: () => observer.threw() };
    const { maxConversionBytes } = webhook;
    const limit = maxConversionBytes === undefined ? {} : { maxBodyBytes: maxConversionBytes };
    routes.push(new ConversionRoute({ classes: conversions, logger, ...threw, ...limit }));
  }
  const { maxConcurrent = webhookDefaults.maxConcurrent } = webhook;
  const router = new WebhookRouter({ routes, maxConcurrent, clock, logger, observer });
  const informers = webhooks.flatMap((wired) => informersOfWebhook(wired).map((informer) => ({ wired, informer })));
  const unsynced = (): string[] =>
    informers
      .filter(({ informer }) => !informer.health.synced)
      .map(({ wired, informer }) => {
        const { problem } = informer.health;
        const why = problem === undefined ? undefined : `${problem.reason}: ${messageOf(problem.error)}`;
        const plural = informer.resource.plural;
        return `webhook ${wired.plan.name} waits for its first list of ${plural}${why === undefined ? '' : `: ${why}`}`;
      });
  const waitForCaches = async (signal?: AbortSignal): Promise<void> => {
    await Promise.all(informers.map(({ informer }) => informer.waitForSync(signal)));
  };
  const called =
    host === undefined
      ? await serverOf(options, certificates, router, parts)
      : hostedWebhooks(host, {
          name,
          configurations: (clientConfigOf) => webhookConfigurations(name, plans, ({ path }) => clientConfigOf(path)),
          policies: policies.map((plan) => admissionPolicy(name, plan)),
          conversions: conversions.map((type) => {
            const { group, plural } = resourceOf(type as KindClass);
            return { group, plural };
          }),
          handle: (call) => router.handle(call),
        });
  return {
    runnables: called.runnables,
    get address() {
      return called.address();
    },
    get problems() {
      return [...called.problems(), ...unsynced()];
    },
    waitUntilReady: async (signal) => {
      await untilAborted(called.ready, signal);
      await waitForCaches(signal);
    },
  };
}

/** All caches that a webhook reads. */
function informersOfWebhook({ informers, ruleInformers: { params, namespaces } }: WiredWebhook): Informer[] {
  return [...informers.values(), params, namespaces].filter((informer) => informer !== undefined);
}

async function observerIn(registry: MetricsRegistry, paths: readonly string[]): Promise<WebhookObserver> {
  const { WebhookMetrics } = await import('../metrics/webhook-metrics.ts');
  return new WebhookMetrics(registry, paths);
}

/** Creates the instance of a webhook class, and the route that calls its methods. */
async function admissionRoute(
  wired: WiredWebhook,
  { validator, webhook = {} }: ManagerOptions,
  observer: WebhookObserver | undefined,
  { instances, exemption, client, logger }: WebhookParts,
): Promise<WebhookRoute> {
  const { plan } = wired;
  const instance = (await construct(instances, plan.webhookClass)) as object;
  const members = new InstanceMethods(instance, plan.webhookClass);
  const methods = new Map(
    plan.methods.map(({ method }) => {
      const bound = members.bound(method);
      return [method, (...values: unknown[]) => exemption.run(() => bound(...values))] as const;
    }),
  );
  const { maxBodyBytes = webhookDefaults.maxBodyBytes } = webhook;
  return new AdmissionRoute({
    ...{ plan, methods, validator, maxBodyBytes, observer },
    rules: await wireRules(plan, wired.ruleInformers, validator, client),
    logger: logger.child({ webhook: plan.name }),
    waitForCaches: async (signal) => {
      for (const informer of informersOfWebhook(wired)) if (!informer.health.synced) await informer.waitForSync(signal);
    },
  });
}

/** What calls the webhooks. */
interface Caller {
  readonly runnables: readonly Runnable[];
  /** Resolves when it has started. */
  readonly ready: Promise<void>;
  address(): string | undefined;
  problems(): readonly string[];
}

function hostedWebhooks(host: WebhookHost, hosted: HostedWebhooks): Caller {
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  let end: (() => Promise<void>) | undefined;
  const runnable: Runnable = {
    name: 'webhooks',
    start: async () => {
      end = await host.serve(hosted);
      resolve();
    },
    stop: async () => {
      await end?.();
    },
  };
  const problems = () => (end === undefined ? ['the API server does not call the webhooks yet'] : []);
  return { runnables: [runnable], ready, address: () => undefined, problems };
}

async function serverOf(
  options: ManagerOptions,
  certificates: PlannedCertificates,
  router: WebhookRouter,
  parts: WebhookParts,
): Promise<Caller> {
  const { webhook = {} } = options;
  const address = addressOf(webhook.address ?? webhookDefaults.address);
  if (address === undefined)
    return { runnables: [], ready: Promise.resolve(), address: () => undefined, problems: () => [] };
  const { clock, logger } = parts;
  const { certificate, runnable, problem } = await certificateOf(options, certificates, parts);
  const server = new WebhookServer({
    ...{ address, certificate, router, clock, logger },
    clientCa: webhook.clientCa === undefined ? undefined : await clientCaIn(webhook.clientCa),
    maxBytesInFlight: webhook.maxBytesInFlight ?? webhookDefaults.maxBytesInFlight,
    stopDelayMs: durationMs(webhook.stopDelay ?? webhookDefaults.stopDelay),
    certificateIsLate: runnable !== undefined,
  });
  return {
    // The certificate goes on changing while the server stops.
    runnables: runnable === undefined ? [server] : [server, runnable],
    ready: server.ready,
    address: () => server.address,
    problems: () => [server.problem, problem?.()].flatMap((one) => one ?? []),
  };
}

function addressOf(text: string) {
  try {
    return parseListenAddress(text);
  } catch (error) {
    throw new EvenkeelError('invalid-address', `webhook.address: ${messageOf(error)}`, { cause: error });
  }
}

/** The certificate of the server, and what must run for it. */
interface WiredCertificate {
  readonly certificate: ServingCertificate;
  readonly runnable?: Runnable;
  readonly problem?: () => string | undefined;
}

async function certificateOf(
  options: ManagerOptions,
  certificates: PlannedCertificates,
  parts: WebhookParts,
): Promise<WiredCertificate> {
  const { webhook = {} } = options;
  // A mounted certificate, such as that of OLM, comes from a program that also writes the caBundles.
  if (certificates.source === 'built-in' && webhook.certificates === undefined) {
    return await builtInCertificate(options, certificates.timing, parts);
  }
  const files = certificateIn(
    webhook.certificates ?? webhookDefaults.certificates,
    'set webhook.certificates to the directory that has them',
  );
  const { certificateRead } = parts;
  const certificate: ServingCertificate = {
    current: () => (certificateRead === undefined ? files.current() : certificateRead(() => files.current())),
    ...(files.onChange === undefined ? {} : { onChange: files.onChange }),
  };
  // So that the start fails before anything runs.
  await certificate.current();
  return { certificate };
}

async function builtInCertificate(
  { name, conversions = [] }: ManagerOptions,
  timing: CertificateTiming,
  { client, namespace, clock, logger, webhooks: wired }: WebhookParts,
): Promise<WiredCertificate> {
  if (name === undefined || namespace === undefined) {
    const [missing, fix] =
      name === undefined
        ? ['the name of the operator', 'pass name to createManager(), or use defineOperator()']
        : [
            "the namespace of the operator's pod",
            'run it in a cluster, or with a kubeconfig whose context has a namespace',
          ];
    throw new EvenkeelError(
      'invalid-option',
      `webhookServer: built-in certificates need ${missing}, which is unknown; ${fix}, or set webhookServer.certificates to "files"`,
    );
  }
  const { BuiltInCertificate } = await import('../webhook/certificates/built-in-certificate.ts');
  const { secret, targets } = certificateObjects({
    ...{ name, namespace },
    webhooks: wired.map(({ plan }) => plan),
    conversions: conversions.map((type) => resourceOf(type as KindClass)),
  });
  const certificate = new BuiltInCertificate({
    ...{ client, name, clock, logger, timing, targets },
    secret: ObjectKey.of({ metadata: secret }),
    service: { namespace, name: webhookServiceName(name) },
  });
  return { certificate, runnable: certificate, problem: () => certificate.problem };
}

async function clientCaIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new EvenkeelError(
      'certificate-unusable',
      `webhook.clientCa: ${messageOf(error)}; pass a file with the certificates of the authorities as PEM`,
      { cause: error },
    );
  }
}
