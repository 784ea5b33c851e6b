import type { AuditOptions } from '@evenkeel/apiserver';
import { type Client, createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { type Clock, EvenkeelError, type Transport } from '@evenkeel/core';
import {
  addressTowards,
  EmbeddedDoor,
  HttpsDoor,
  ServingWebhookHost,
  type WebhookDoor,
} from '@evenkeel/testing/webhook';
import { sessionManager } from '../../cluster/field-manager.ts';
import { KubeconfigFile } from '../kubeconfig-file.ts';
import type { Narrator } from '../narrator.ts';
import { NarratorLogger } from '../narrator-logger.ts';
import { readJson } from './read-json.ts';
import { WebhookRelay } from './webhook-relay.ts';

export interface SessionServerOptions {
  /** The kubeconfig of a cluster to run on. Default: an embedded API server. */
  readonly kubeconfig?: string;
  /** The embedded server's port. Default: a free port. */
  readonly port?: number;
  /** The audit log of the embedded server. Default: none. */
  readonly audit?: AuditOptions;
  /** The folder of the embedded server's kubeconfig. */
  readonly stateFolder: string;
  /** Messages show file paths relative to this folder. */
  readonly folder: string;
  readonly narrator: Narrator;
  readonly clock: Clock;
  readonly verbose: boolean;
}

/** How the requests of a session, not of its operator, name it. */
const own = { fieldManager: sessionManager, userAgent: sessionManager } as const;

const answerWithinMs = 5000;

/** The API server of a session, embedded or of a cluster, and what the session needs to use it. */
export class SessionServer {
  readonly transport: Transport;
  readonly client: Client;
  /** The path of its kubeconfig. */
  readonly kubeconfig: string;
  readonly webhooks: WebhookRelay;
  readonly #host: ServingWebhookHost;
  readonly #opened: Opened;

  private constructor(opened: Opened, options: SessionServerOptions) {
    const { clock } = options;
    this.transport = opened.transport;
    this.kubeconfig = opened.kubeconfig;
    this.client = createClient(opened.transport, { ...own, clock, logger: new NarratorLogger(options) });
    this.#host = new ServingWebhookHost({ client: this.client, door: opened.door, clock });
    this.webhooks = new WebhookRelay(this.#host);
    this.#opened = opened;
  }

  static async open(options: SessionServerOptions): Promise<SessionServer> {
    const { kubeconfig } = options;
    const opened = kubeconfig === undefined ? await openEmbedded(options) : await openCluster(kubeconfig, options);
    return new SessionServer(opened, options);
  }

  /** The port of the embedded server; undefined for a cluster. */
  get port(): number | undefined {
    return this.#opened.port;
  }

  /** Prints the address. On a cluster, removes the objects of killed sessions. */
  async announce(narrator: Narrator): Promise<void> {
    this.#opened.announce(narrator);
    if (this.port !== undefined) return;
    const removed = await this.#host.removeAbandoned();
    if (removed.length > 0)
      narrator.report('webhooks', `removed what a killed session had registered: ${removed.join(', ')}`);
  }

  async close(): Promise<void> {
    try {
      await this.#host.close();
    } finally {
      await this.#opened.close();
    }
  }
}

interface Opened {
  readonly transport: Transport;
  /** How the server calls webhooks in this process. */
  readonly door: WebhookDoor;
  readonly kubeconfig: string;
  readonly port?: number;
  announce(narrator: Narrator): void;
  close(): Promise<void>;
}

async function openCluster(kubeconfig: string, { clock }: SessionServerOptions): Promise<Opened> {
  const connection = await loadConnection({ kubeconfig, clock });
  const transport = httpsTransport(connection);
  const signal = AbortSignal.timeout(answerWithinMs);
  const version = await readJson(transport, '/version', signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    throw new EvenkeelError(
      'cluster-unreachable',
      `the cluster of ${kubeconfig} did not respond within ${answerWithinMs / 1000} s; check that it runs and that the kubeconfig is current`,
    );
  });
  const { gitVersion = 'unknown' } = version as { gitVersion?: string };
  const door = new HttpsDoor(
    () => addressTowards(connection.server),
    () => clock.now(),
  );
  return {
    transport,
    door,
    kubeconfig,
    announce: (narrator) => narrator.report('cluster', `Kubernetes ${gitVersion} of ${kubeconfig}`),
    close: () => transport.close(),
  };
}

async function openEmbedded(options: SessionServerOptions): Promise<Opened> {
  const { clock, port, stateFolder, audit } = options;
  const { ApiServer } = await import('@evenkeel/apiserver');
  const server = await ApiServer.create({ clock, logger: new NarratorLogger(options), ...(audit && { audit }) });
  try {
    const { url } = await server.listen(port === undefined ? {} : { port });
    const write = (file: string): Promise<void> => server.writeKubeconfig(file);
    const kubeconfig = await KubeconfigFile.create({ folder: stateFolder, write, clock });
    const transport = server.transport();
    return {
      transport,
      door: new EmbeddedDoor(server),
      kubeconfig: kubeconfig.path,
      port: Number(new URL(url).port),
      announce: (narrator) => {
        narrator.report('server', `listening on ${url}`);
        const others = kubeconfig.isAnother ? { aside: 'another session is running in this folder' } : {};
        narrator.report('kubeconfig', kubeconfig.path, others);
      },
      close: async () => {
        await transport.close();
        await server.close();
        await kubeconfig.remove();
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
