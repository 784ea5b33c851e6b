import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, type Connection } from '@evenkeel/client';
import { isNotFound } from '@evenkeel/core';
import { type Pod, ServiceAccount } from '@evenkeel/kinds';
import { ContainerConfigError } from './pod-sources.ts';

/** Where the processes of pods reach the API server. */
export interface ServerAddress {
  /** `https://127.0.0.1:6443` */
  readonly url: string;
  /** PEM of its authorities. */
  readonly ca: string;
}

/** The address of a connection. */
export async function serverAddressOf(connection: Connection): Promise<ServerAddress> {
  const ca = connection.ca ?? (await connection.credentials?.())?.ca ?? '';
  return { url: connection.server, ca };
}

/** The validity of a token, as with the kubelet. It is renewed with the volumes, long before it expires. */
export const tokenSeconds = 3607;

/** Returns a token of the pod's ServiceAccount. Throws {@link ContainerConfigError} if the account does not exist. */
export async function podToken(
  client: Client,
  { metadata: { name, namespace, uid }, spec }: Pod,
  { audiences, expirationSeconds = tokenSeconds }: { audiences?: readonly string[]; expirationSeconds?: number } = {},
): Promise<string> {
  const account = spec?.serviceAccountName ?? 'default';
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid };
  try {
    const answer = await client.subresource(ServiceAccount, `${namespace}/${account}`, 'token').create({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds, boundObjectRef, ...(audiences === undefined ? {} : { audiences }) },
    });
    return (answer as unknown as { readonly status: { readonly token: string } }).status.token;
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new ContainerConfigError(`serviceaccount "${account}" not found`);
  }
}

/**
 * Writes what a process needs to reach the API server as its ServiceAccount: the files of the kubelet, and a kubeconfig that
 * refers to them. Returns the environment variables.
 */
export async function writeCredentials(
  folder: string,
  { url, ca }: ServerAddress,
  pod: Pod,
  token: string,
): Promise<Map<string, string>> {
  await mkdir(folder, { recursive: true });
  const { namespace = 'default' } = pod.metadata;
  const name = 'pod';
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: url, 'certificate-authority': 'ca.crt' } }],
    users: [{ name, user: { tokenFile: 'token' } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace } }],
    'current-context': name,
  });
  for (const [file, text] of Object.entries({ token, 'ca.crt': ca, namespace, kubeconfig })) {
    await replaceFile(join(folder, file), text, 0o600);
  }
  const { hostname, port } = new URL(url);
  return new Map([
    ['KUBERNETES_SERVICE_HOST', hostname.replace(/^\[|\]$/g, '')],
    ['KUBERNETES_SERVICE_PORT', port === '' ? '443' : port],
    ['KUBECONFIG', join(folder, 'kubeconfig')],
  ]);
}

/** Replaces a file in one step, because a process may read it at any time. */
export async function replaceFile(path: string, content: string | Buffer, mode: number): Promise<void> {
  await writeFile(`${path}.new`, content, { mode });
  await rename(`${path}.new`, path);
}
