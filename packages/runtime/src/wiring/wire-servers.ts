import type { Client } from '@evenkeel/client';
import { type Clock, EvenkeelError, type Logger } from '@evenkeel/core';
import type { HealthCheck } from '../http/health-handler.ts';
import type { HttpServer } from '../http/http-server.ts';
import { isLoopback, type ListenAddress, parseListenAddress } from '../http/listen-address.ts';
import type { ServingCertificate } from '../http/serving-certificate.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import type { MetricsRegistry } from '../metrics/metrics-registry.ts';
import type { ManagerHealth } from './manager-health.ts';

export interface HealthServerOptions {
  /**
   * Where `/healthz` and `/readyz` are answered, for the probes of the kubelet: `:8081`, `127.0.0.1:8081`, `[::1]:8081`; `0`
   * for nowhere. Plain HTTP, because probes have no credentials. Default: nowhere.
   */
  readonly address?: string;
}

export interface MetricsOptions {
  /**
   * Where `/metrics` is answered: `:8443`, `127.0.0.1:8080`, `[::1]:8080`; `0` for nowhere, and then nothing is measured.
   * Default: nowhere.
   */
  readonly address?: string;
  /**
   * Whether it is HTTPS, and only for those who have a token and may `get` the nonResourceURL `/metrics`, which is asked of
   * the API server: the operator needs `create` on `tokenreviews` and `subjectaccessreviews`. Default: true, except at a
   * loopback address. False elsewhere lets everybody read who reaches the port.
   */
  readonly secure?: boolean;
  /**
   * A directory with `tls.crt` and `tls.key`, as a Secret of type `kubernetes.io/tls` is mounted; looked at every 10 s.
   * Default: a certificate that the process makes itself, which encrypts, but which nobody can check.
   */
  readonly certificates?: string;
}

export interface ServerParts {
  /** Not held back by an election: who stands by is scraped too. */
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Undefined where nothing is to listen. Throws `invalid-address`. */
export function addressOf(option: string, text: string | undefined): ListenAddress | undefined {
  if (text === undefined) return undefined;
  try {
    return parseListenAddress(text);
  } catch (error) {
    if (!(error instanceof EvenkeelError)) throw error;
    throw new EvenkeelError(error.code, `${option}: ${error.message}`, { cause: error });
  }
}

/** The server of `/healthz` and `/readyz`, not started. */
export async function wireHealthServer(
  address: ListenAddress,
  health: () => ManagerHealth,
  { clock, logger }: ServerParts,
): Promise<HttpServer> {
  const [{ HttpServer }, { healthHandler }] = await Promise.all([
    import('../http/http-server.ts'),
    import('../http/health-handler.ts'),
  ]);
  return new HttpServer({
    name: 'health server',
    flag: '--health-address',
    address,
    handler: healthHandler({ healthz: () => livenessOf(health()), readyz: () => readinessOf(health()) }),
    clock,
    logger,
  });
}

/** The server of `/metrics`, not started. */
export async function wireMetricsServer(
  address: ListenAddress,
  { secure = !isLoopback(address), certificates }: MetricsOptions,
  registry: MetricsRegistry,
  measures: ManagerMetrics,
  parts: ServerParts,
): Promise<HttpServer> {
  const { HttpServer } = await import('../http/http-server.ts');
  const { metricsHandler } = await import('../http/metrics-handler.ts');
  const open = { name: 'metrics server', flag: '--metrics-address', address, ...parts };
  const handler = metricsHandler(registry);
  if (!secure) {
    if (certificates !== undefined) {
      throw new EvenkeelError(
        'invalid-option',
        `metrics.certificates is given, but ${isLoopback(address) ? 'a loopback address is' : 'secure is false, so the metrics are'} served without TLS; set metrics.secure, or leave the certificates out`,
      );
    }
    return new HttpServer({ ...open, handler });
  }
  const [{ authorized }, { certificateIn, selfMadeCertificate }] = await Promise.all([
    import('../http/request-authorizer.ts'),
    import('../http/serving-certificate.ts'),
  ]);
  const read = (files: ServingCertificate): ServingCertificate => ({
    current: () => measures.certificateRead(() => files.current()),
  });
  return new HttpServer({
    ...open,
    handler: authorized(handler, parts),
    certificate: certificates === undefined ? selfMadeCertificate(parts.clock) : read(certificateIn(certificates)),
  });
}

/** What a new process would mend: the kubelet starts one where this fails. */
function livenessOf({ live, problems }: ManagerHealth): readonly HealthCheck[] {
  return [
    // An event loop that is blocked answers nothing, which fails the probe by itself.
    { name: 'ping', problem: undefined },
    { name: 'manager', problem: live ? undefined : problems.join('; ') },
  ];
}

/** `manager` is what decides; the others say where to look. */
function readinessOf({ ready, problems, controllers, leadership }: ManagerHealth): readonly HealthCheck[] {
  const said = problems.length === 0 ? 'not everything has synced' : problems.join('; ');
  return [
    { name: 'manager', problem: ready ? undefined : said },
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
