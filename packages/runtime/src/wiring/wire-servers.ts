import type { Client } from '@evenkeel/client';
import { type Clock, EvenkeelError, type Logger } from '@evenkeel/core';
import type { ManagerHealth } from '../health/manager-health.ts';
import { type OwnCheck, runOwnChecks, verifyOwnChecks } from '../health/own-checks.ts';
import { type HealthCheck, healthHandler } from '../http/health-handler.ts';
import { HttpServer } from '../http/http-server.ts';
import { isAuthenticated, isLoopback, type ListenAddress, parseListenAddress } from '../http/listen-address.ts';
import { metricsHandler } from '../http/metrics-handler.ts';
import type { ServingCertificate } from '../http/serving-certificate.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { HealthServerOptions } from '../options/health-server-options.ts';
import type { MetricsOptions } from '../options/metrics-options.ts';

/** The servers to start. */
export interface PlannedServers {
  readonly health:
    | { readonly address: ListenAddress; readonly readiness: Readonly<Record<string, OwnCheck>> }
    | undefined;
  readonly metrics:
    | { readonly address: ListenAddress; readonly secure: boolean; readonly certificates: string | undefined }
    | undefined;
}

export interface ServerParts {
  readonly registry: MetricsRegistry;
  /** Undefined without a metrics server. */
  readonly measures: ManagerMetrics | undefined;
  readonly health: () => ManagerHealth;
  /** Writes without leadership, because a standby replica is scraped too. */
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The servers of a manager, not started. */
export interface ManagerServers {
  readonly health?: HttpServer;
  readonly metrics?: HttpServer;
}

/** Throws `invalid-address`, or `invalid-option` if certificates are set but would not be used. */
export function planServers(health: HealthServerOptions = {}, metrics: MetricsOptions = {}): PlannedServers {
  const address = addressOf('metrics.address', metrics.address);
  const { certificates } = metrics;
  const secure = address !== undefined && isAuthenticated(address, metrics.secure);
  if (address !== undefined && !secure && certificates !== undefined) {
    throw new EvenkeelError(
      'invalid-option',
      `metrics.certificates has no effect, because ${isLoopback(address) ? 'a loopback address is' : 'metrics.secure is false and the metrics are'} served without TLS; set metrics.secure, or remove metrics.certificates`,
    );
  }
  const { readiness = {} } = health;
  verifyOwnChecks(readiness);
  const probed = addressOf('health.address', health.address);
  return {
    health: probed === undefined ? undefined : { address: probed, readiness },
    metrics: address === undefined ? undefined : { address, secure, certificates },
  };
}

function addressOf(option: string, text: string | undefined): ListenAddress | undefined {
  if (text === undefined) return undefined;
  try {
    return parseListenAddress(text);
  } catch (error) {
    if (!(error instanceof EvenkeelError)) throw error;
    throw new EvenkeelError(error.code, `${option}: ${error.message}`, { cause: error });
  }
}

/** Throws `certificate-unusable`, so that the start fails before anything runs. */
export async function checkCertificates({ metrics }: PlannedServers): Promise<void> {
  if (metrics?.certificates === undefined) return;
  const { certificateIn } = await import('../http/serving-certificate.ts');
  await certificateIn(metrics.certificates).current();
}

/** Creates the server of `/healthz` and `/readyz`, and the server of `/metrics`. */
export async function wireServers(planned: PlannedServers, parts: ServerParts): Promise<ManagerServers> {
  return {
    ...(planned.health === undefined ? {} : { health: healthServer(planned.health, parts) }),
    ...(planned.metrics === undefined ? {} : { metrics: await metricsServer(planned.metrics, parts) }),
  };
}

function healthServer(
  { address, readiness }: NonNullable<PlannedServers['health']>,
  { health, clock, logger }: ServerParts,
): HttpServer {
  return new HttpServer({
    name: 'health server',
    flag: '--health-address',
    address,
    handler: healthHandler({
      healthz: () => livenessOf(health()),
      readyz: async () => [...readinessOf(health()), ...(await runOwnChecks(readiness, clock))],
    }),
    clock,
    logger,
  });
}

async function metricsServer(
  { address, secure, certificates }: NonNullable<PlannedServers['metrics']>,
  { registry, measures, client, clock, logger }: ServerParts,
): Promise<HttpServer> {
  const handler = metricsHandler(registry);
  const open = { name: 'metrics server', flag: '--metrics-address', address, clock, logger };
  if (!secure) return new HttpServer({ ...open, handler });
  const [{ authorized }, { certificateIn, selfMadeCertificate }] = await Promise.all([
    import('../http/request-authorizer.ts'),
    import('../http/serving-certificate.ts'),
  ]);
  const counted = (files: ServingCertificate): ServingCertificate => ({
    ...files,
    current: () => measures?.certificateRead(() => files.current()) ?? files.current(),
  });
  return new HttpServer({
    ...open,
    handler: authorized(handler, { client, clock, logger }),
    certificate: certificates === undefined ? selfMadeCertificate(clock) : counted(certificateIn(certificates)),
  });
}

/** Only problems that a restart fixes, because the kubelet restarts the container if this fails. */
function livenessOf({ live, problems }: ManagerHealth): readonly HealthCheck[] {
  return [
    // If the event loop is blocked, there is no response, and the probe fails anyway.
    { name: 'ping', problem: undefined },
    { name: 'manager', problem: live ? undefined : problems.join('; ') },
  ];
}

/** `manager` decides; the other checks show which controller has the problem. */
function readinessOf({ ready, problems, controllers, webhooks, leadership }: ManagerHealth): readonly HealthCheck[] {
  const reason = problems.length === 0 ? 'not everything has synced' : problems.join('; ');
  return [
    { name: 'manager', problem: ready ? undefined : reason },
    ...(webhooks === undefined ? [] : [{ name: 'webhooks', problem: webhooks.problems.join('; ') || undefined }]),
    ...controllers.map(({ name, synced, sources, running }): HealthCheck => {
      const waiting = sources.flatMap(({ problem }) => problem ?? []);
      const stuck = running.filter((run) => run.stuck).map(({ key }) => `the reconcile of ${key} is stuck`);
      const standsBy = leadership?.role === 'candidate' && sources.every((source) => source.synced);
      const unsynced = synced || standsBy || waiting.length > 0 ? [] : ['its sources have not synced'];
      const found = ready ? [] : [...waiting, ...stuck, ...unsynced];
      return { name: `controller-${name}`, problem: found.length === 0 ? undefined : found.join('; ') };
    }),
  ];
}
