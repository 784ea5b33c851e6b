import type { KubeConfig } from '@kubernetes/client-node';
import type { Connection } from './connection.ts';

/**
 * Returns a `KubeConfig` of `@kubernetes/client-node` with the same cluster and credentials, for its API classes and
 * its exec, attach, port-forward, copy and log streams:
 *
 * ```ts
 * import { clientNodeConfig } from 'evenkeel/client-node';
 *
 * const config = await clientNodeConfig(connection);
 * const core = config.makeApiClient(CoreV1Api);
 * await new Exec(config).exec('default', 'web-0', 'nginx', ['nginx', '-t'], process.stdout, process.stderr, null, false);
 * ```
 *
 * That package is an optional peer, so this function is in a separate module, and the types of the others compile
 * without it. The first call loads the package, which takes about 290 ms and 88 MB. Credentials are requested before
 * each request, as in the other clients. Rotated certificates apply to connections that client-node opens later.
 * Everything else follows client-node's own rules: it retries nothing, and opens a connection for each request.
 */
export async function clientNodeConfig(connection: Connection): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  const { server, ca, serverName, insecureSkipTlsVerify = false, proxyUrl, namespace = 'default' } = connection;
  config.loadFromOptions({
    clusters: [
      {
        name: 'cluster',
        server,
        // Without TLS there is nothing to verify, but client-node requires this flag.
        skipTLSVerify: insecureSkipTlsVerify || server.startsWith('http:'),
        ...(ca === undefined ? {} : { caData: Buffer.from(ca).toString('base64') }),
        ...(serverName === undefined ? {} : { tlsServerName: serverName }),
        ...(proxyUrl === undefined ? {} : { proxyUrl }),
      },
    ],
    users: [{ name: 'user' }],
    contexts: [{ name: 'current', cluster: 'cluster', user: 'user', namespace }],
    currentContext: 'current',
  });
  config.addAuthenticator({
    isAuthProvider: () => true,
    applyAuthentication: async (_user, options) => {
      const { headers = {}, ca: rotated, cert, key } = (await connection.credentials?.()) ?? {};
      Object.assign(options, {
        headers: { ...(options.headers as object | undefined), ...headers },
        ...(rotated === undefined ? {} : { ca: rotated }),
        ...(cert === undefined ? {} : { cert }),
        ...(key === undefined ? {} : { key }),
      });
    },
  });
  return config;
}
