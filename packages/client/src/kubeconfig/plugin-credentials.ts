import { EvenkeelError } from '@evenkeel/core';
import type { Credentials } from '../connection.ts';
import type { KubeconfigEntry } from './kubeconfig.ts';

/**
 * Credentials that a program or an identity provider gives, by `@kubernetes/client-node`'s authenticators, which keep
 * them until they expire. That package is loaded with the first request.
 */
export function pluginCredentials(user: KubeconfigEntry, cluster: KubeconfigEntry): () => Promise<Credentials> {
  let loading: Promise<() => Promise<Credentials>> | undefined;
  return async () => {
    loading ??= load(user, cluster);
    try {
      return await (await loading)();
    } catch (error) {
      throw unavailable(user, error);
    }
  };
}

async function load(user: KubeconfigEntry, cluster: KubeconfigEntry): Promise<() => Promise<Credentials>> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromString(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'current',
      clusters: [{ name: 'cluster', cluster: cluster.fields }],
      users: [{ name: user.name, user: user.fields }],
      contexts: [{ name: 'current', context: { cluster: 'cluster', user: user.name } }],
    }),
  );
  return async () => {
    const options: { headers?: Record<string, string>; cert?: unknown; key?: unknown } = {};
    await config.applyToHTTPSOptions(options);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(options.headers ?? {})) headers[name.toLowerCase()] = value;
    return { headers, cert: textOf(options.cert), key: textOf(options.key) };
  };
}

function textOf(pem: unknown): string | undefined {
  if (typeof pem === 'string') return pem;
  return pem instanceof Uint8Array ? Buffer.from(pem).toString('utf8') : undefined;
}

/** What a plugin prints may hold a token, so its words stand in the cause alone. */
function unavailable(user: KubeconfigEntry, cause: unknown): EvenkeelError {
  const exec = user.fields['exec'] as { command?: unknown } | undefined;
  const what =
    exec === undefined
      ? 'its auth-provider gave no credentials; log in to the cluster again'
      : `its exec plugin ${JSON.stringify(exec.command)} gave no credentials; run it by hand to see why`;
  return new EvenkeelError('credentials-unavailable', `the user "${user.name}" in ${user.file}: ${what}`, { cause });
}
