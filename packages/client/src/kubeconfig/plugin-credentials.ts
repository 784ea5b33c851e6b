import { resolve } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';
import type { Connection, Credentials } from '../connection.ts';
import type { KubeconfigEntry } from './kubeconfig.ts';

/**
 * Returns credentials from an exec plugin or an identity provider. It uses the authenticators of
 * `@kubernetes/client-node`, which cache credentials until they expire. That package is loaded with the first request.
 */
export function pluginCredentials(
  user: KubeconfigEntry,
  cluster: KubeconfigEntry,
): NonNullable<Connection['credentials']> {
  let loading: Promise<() => Promise<Credentials>> | undefined;
  return async ({ renew = false } = {}) => {
    // The cache of the authenticators cannot be cleared, so replace them.
    if (renew) loading = undefined;
    loading ??= load(user, cluster);
    try {
      return await (await loading)();
    } catch (error) {
      // Retry a failed load too: the package may be installed, or the entry's files written, meanwhile.
      loading = undefined;
      throw error instanceof EvenkeelError ? error : unavailable(user);
    }
  };
}

async function load(user: KubeconfigEntry, cluster: KubeconfigEntry): Promise<() => Promise<Credentials>> {
  const { KubeConfig } = await import('@kubernetes/client-node').catch((cause: unknown) => {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new EvenkeelError(
      'credentials-unavailable',
      `the user "${user.name}" in ${user.file} uses ${methodOf(user)}, which needs @kubernetes/client-node; run "npm install @kubernetes/client-node"`,
      { cause },
    );
  });
  const config = new KubeConfig();
  config.loadFromString(
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'current',
      clusters: [{ name: 'cluster', cluster: withAbsolutePaths(cluster, ['certificate-authority']) }],
      users: [{ name: user.name, user: absoluteUser(user) }],
      contexts: [{ name: 'current', context: { cluster: 'cluster', user: user.name } }],
    }),
  );
  return async () => {
    const options: { headers: Record<string, string>; cert?: unknown; key?: unknown } = { headers: {} };
    await config.applyToHTTPSOptions(options);
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(options.headers)) headers[name.toLowerCase()] = value;
    const credentials = { headers, cert: textOf(options.cert), key: textOf(options.key) };
    // client-node silently omits an expired token that it cannot refresh, and an unknown provider.
    if (headers['authorization'] === undefined && credentials.cert === undefined) throw new Error('no credentials');
    return credentials;
  };
}

/** Relative paths start at the folder of the kubeconfig, which client-node does not know. */
function withAbsolutePaths({ fields, folder }: KubeconfigEntry, names: readonly string[]): Record<string, unknown> {
  const paths = names.flatMap((name) => {
    const path = fields[name];
    return typeof path === 'string' && path !== '' ? [[name, resolve(folder, path)] as const] : [];
  });
  return { ...fields, ...Object.fromEntries(paths) };
}

function absoluteUser(user: KubeconfigEntry): Record<string, unknown> {
  const fields = withAbsolutePaths(user, ['client-certificate', 'client-key', 'tokenFile']);
  const { exec } = fields;
  if (!isJsonObject(exec) || typeof exec['command'] !== 'string') return fields;
  // As in kubectl: a command with a slash is a path, any other is searched in PATH.
  const command = /[\\/]/.test(exec['command']) ? resolve(user.folder, exec['command']) : exec['command'];
  return { ...fields, exec: { ...exec, command } };
}

function textOf(pem: unknown): string | undefined {
  if (typeof pem === 'string') return pem;
  return pem instanceof Uint8Array ? Buffer.from(pem).toString('utf8') : undefined;
}

/**
 * client-node puts the whole stderr of a plugin into its error, and a part of stdout if it is not JSON. Both may include a
 * token, and a cause is logged, so the error is dropped.
 */
function unavailable(user: KubeconfigEntry): EvenkeelError {
  const what = isJsonObject(user.fields['exec'])
    ? `${methodOf(user)} returned no credentials; run it by hand to see why`
    : `${methodOf(user)} returned no credentials; log in to the cluster again`;
  return new EvenkeelError('credentials-unavailable', `the user "${user.name}" in ${user.file}: its ${what}`);
}

function methodOf({ fields }: KubeconfigEntry): string {
  const { exec } = fields;
  if (isJsonObject(exec)) return `exec plugin ${JSON.stringify(exec['command'])}`;
  const provider = fields['auth-provider'];
  return `auth-provider ${JSON.stringify(isJsonObject(provider) ? provider['name'] : provider)}`;
}
