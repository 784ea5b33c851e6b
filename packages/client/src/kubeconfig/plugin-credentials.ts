import { resolve } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';
import type { Connection, Credentials } from '../connection.ts';
import type { KubeconfigEntry } from './kubeconfig.ts';

/**
 * Credentials that a program or an identity provider gives, by `@kubernetes/client-node`'s authenticators, which keep
 * them until they expire. That package is loaded with the first request.
 */
export function pluginCredentials(
  user: KubeconfigEntry,
  cluster: KubeconfigEntry,
): NonNullable<Connection['credentials']> {
  let loading: Promise<() => Promise<Credentials>> | undefined;
  return async ({ renew = false } = {}) => {
    // What the authenticators keep cannot be taken from them, so others take their place.
    if (renew) loading = undefined;
    loading ??= load(user, cluster);
    try {
      return await (await loading)();
    } catch (error) {
      // Also what could not be loaded is tried again: the package may be installed, the entry's files written.
      loading = undefined;
      throw error instanceof EvenkeelError ? error : unavailable(user, error);
    }
  };
}

async function load(user: KubeconfigEntry, cluster: KubeconfigEntry): Promise<() => Promise<Credentials>> {
  const { KubeConfig } = await import('@kubernetes/client-node').catch((cause: unknown) => {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new EvenkeelError(
      'credentials-unavailable',
      `the user "${user.name}" in ${user.file} logs in by ${methodOf(user)}, for which @kubernetes/client-node is needed; run "npm install @kubernetes/client-node"`,
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
    // A token that has expired and cannot be refreshed is left out without a word, as is a provider that nobody knows.
    if (headers['authorization'] === undefined && credentials.cert === undefined) throw new Error('there were none');
    return credentials;
  };
}

/** Relative paths start at the folder of the kubeconfig, of which client-node is told nothing. */
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
  // As kubectl does it: what has a slash in it is a path, anything else is looked for in PATH.
  const command = /[\\/]/.test(exec['command']) ? resolve(user.folder, exec['command']) : exec['command'];
  return { ...fields, exec: { ...exec, command } };
}

function textOf(pem: unknown): string | undefined {
  if (typeof pem === 'string') return pem;
  return pem instanceof Uint8Array ? Buffer.from(pem).toString('utf8') : undefined;
}

/** What a plugin prints may hold a token, so its words stand in the cause alone. */
function unavailable(user: KubeconfigEntry, cause: unknown): EvenkeelError {
  const what = isJsonObject(user.fields['exec'])
    ? `${methodOf(user)} gave no credentials; run it by hand to see why`
    : `${methodOf(user)} gave no credentials; log in to the cluster again`;
  return new EvenkeelError('credentials-unavailable', `the user "${user.name}" in ${user.file}: its ${what}`, {
    cause,
  });
}

function methodOf({ fields }: KubeconfigEntry): string {
  const { exec } = fields;
  if (isJsonObject(exec)) return `exec plugin ${JSON.stringify(exec['command'])}`;
  const provider = fields['auth-provider'];
  return `auth-provider ${JSON.stringify(isJsonObject(provider) ? provider['name'] : provider)}`;
}
