import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '@evenkeel/core';
import type { Connection } from '../connection.ts';
import { RereadingFile } from './rereading-file.ts';

/** The folder in which the kubelet stores a pod's token, authority and namespace. */
const serviceAccountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Returns the connection of a pod by its service account; undefined outside of a pod. Token and authority are read
 * again each minute, because both are rotated.
 */
export async function inClusterConnection(
  environment: Readonly<Record<string, string | undefined>>,
  clock: Clock,
  folder: string = serviceAccountFolder,
): Promise<Connection | undefined> {
  const host = environment['KUBERNETES_SERVICE_HOST'];
  const port = environment['KUBERNETES_SERVICE_PORT'];
  if (host === undefined || port === undefined || !existsSync(join(folder, 'token'))) return undefined;
  const origin = "the pod's service account";
  const token = new RereadingFile(join(folder, 'token'), origin, clock);
  const ca = new RereadingFile(join(folder, 'ca.crt'), origin, clock);
  const namespaceFile = join(folder, 'namespace');
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    credentials: async (options) => ({
      headers: { authorization: `Bearer ${await token.read(options)}` },
      ca: await ca.read(options),
    }),
    namespace: existsSync(namespaceFile) ? await new RereadingFile(namespaceFile, origin, clock).read() : 'default',
    origin,
  };
}
