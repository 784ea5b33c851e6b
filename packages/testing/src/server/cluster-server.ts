import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type Connection, httpsTransport, loadConnection, readBody } from '@evenkeel/client';
import { EvenkeelError, type Transport } from '@evenkeel/core';
import { addressTowards } from '../webhook/address-towards.ts';
import { HttpsDoor } from '../webhook/https-door.ts';
import type { TestServer } from './test-server.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** An existing cluster. It is neither started nor stopped here. */
export class ClusterServer implements TestServer {
  readonly kind = 'cluster';
  readonly door = new HttpsDoor(() => addressTowards(this.#connection.server), Date.now);
  readonly #connection: Connection;
  readonly #variables: Variables;

  private constructor(connection: Connection, variables: Variables) {
    this.#connection = connection;
    this.#variables = variables;
  }

  /**
   * Finds the cluster as every client does (`KUBECONFIG`, the pod's service account, `~/.kube/config`), and requests
   * its version. Throws `kubeconfig-not-found`, `invalid-kubeconfig`, `credentials-unavailable` and
   * `cluster-unreachable`.
   */
  static async find(variables: Variables): Promise<ClusterServer> {
    const server = new ClusterServer(await loadConnection({ environment: variables }), variables);
    const transport = server.connect();
    try {
      const response = await transport.request({ method: 'GET', path: '/version' });
      await readBody(response);
      if (response.status === 200) return server;
      throw new EvenkeelError(
        'cluster-unreachable',
        `${server.#connection.origin ?? server.#connection.server}: the server responded to GET /version with ${response.status}; ` +
          'check the credentials of that context',
      );
    } finally {
      await transport.close();
    }
  }

  connect(): Transport {
    return httpsTransport(this.#connection);
  }

  /** Throws `kubeconfig-not-found` if the cluster was found in several files, or by a pod's service account. */
  async kubeconfig(): Promise<string> {
    const named = (this.#variables['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
    if (named.length > 1 || (named.length === 0 && this.#variables['KUBERNETES_SERVICE_HOST'] !== undefined)) {
      throw new EvenkeelError(
        'kubeconfig-not-found',
        `no single kubeconfig describes the cluster of ${this.#connection.origin ?? this.#connection.server}; ` +
          'set KUBECONFIG to one file',
      );
    }
    return named[0] === undefined ? join(homedir(), '.kube', 'config') : resolve(named[0]);
  }

  async close(): Promise<void> {}
}
