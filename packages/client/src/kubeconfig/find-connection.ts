import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type Clock, didYouMean, EvenkeelError, SystemClock } from '@evenkeel/core';
import type { Connection } from '../connection.ts';
import { checkFields } from './check-fields.ts';
import { inClusterConnection } from './in-cluster.ts';
import { invalid, type Kubeconfig, type KubeconfigEntry, readKubeconfig } from './kubeconfig.ts';
import type { LoadConnectionOptions } from './load-connection-options.ts';
import { currentText, pemOf, userCredentials } from './user-credentials.ts';

/** Implements `loadConnection`. */
export async function findConnection(options: LoadConnectionOptions): Promise<Connection> {
  const clock = options.clock ?? new SystemClock();
  const environment = options.environment ?? process.env;
  const fromFiles = async (files: readonly string[]): Promise<Connection> =>
    await connectionOf(await readKubeconfig(files), options.context, clock);

  if (options.kubeconfig !== undefined) return await fromFiles([resolve(options.kubeconfig)]);
  const named = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (named.length > 0) {
    // As in kubectl, some of several files may be missing.
    const present = named.filter((file) => existsSync(file));
    return await fromFiles((present.length > 0 ? present : named.slice(0, 1)).map((file) => resolve(file)));
  }
  const inCluster = await inClusterConnection(environment, clock);
  if (inCluster !== undefined && options.context === undefined) return inCluster;
  const standard = join(options.home ?? homedir(), '.kube', 'config');
  if (existsSync(standard)) return await fromFiles([standard]);
  throw new EvenkeelError(
    'kubeconfig-not-found',
    `no kubeconfig found and not running in a pod (KUBECONFIG is not set, and ${standard} does not exist); set KUBECONFIG or pass --kubeconfig FILE`,
  );
}

/** Returns the connection of a context, by default the current one. */
export async function connectionOf(
  kubeconfig: Kubeconfig,
  contextName: string | undefined,
  clock: Clock,
): Promise<Connection> {
  const files = kubeconfig.files.join(', ');
  const name = contextName ?? kubeconfig.currentContext;
  if (name === undefined) throw invalid(files, `missing current-context${fixForNoContext(kubeconfig)}`);
  const context = entryOf(kubeconfig.contexts, name, 'context', files);
  checkFields(context, 'context');
  const cluster = entryOf(kubeconfig.clusters, textOf(context, 'cluster'), 'cluster', context.file, context);
  const userName = textOf(context, 'user');
  const user = userName === undefined ? undefined : entryOf(kubeconfig.users, userName, 'user', context.file, context);
  checkFields(cluster, 'cluster');
  if (user !== undefined) checkFields(user, 'user');
  const server = textOf(cluster, 'server');
  if (server === undefined) throw invalid(cluster.file, `the cluster "${cluster.name}" has no server; add it`);
  const authority = pemOf(cluster, 'certificate-authority', clock);
  const ofUser = user === undefined ? undefined : userCredentials(user, cluster, clock);
  return {
    server,
    ca: await currentText(authority),
    serverName: textOf(cluster, 'tls-server-name'),
    insecureSkipTlsVerify: cluster.fields['insecure-skip-tls-verify'] === true,
    proxyUrl: textOf(cluster, 'proxy-url'),
    ...(typeof authority === 'function'
      ? // Its file may be rotated, as those of credentials.
        { credentials: async (options) => ({ ...(await ofUser?.(options)), ca: await authority(options) }) }
      : ofUser !== undefined && { credentials: ofUser }),
    namespace: textOf(context, 'namespace') ?? 'default',
    context: context.name,
    origin: `context "${context.name}" in ${context.file}`,
  };
}

/** The maximum number of available names in a message. */
const namesListed = 5;

function entryOf(
  entries: ReadonlyMap<string, KubeconfigEntry>,
  name: string | undefined,
  what: string,
  file: string,
  namedBy?: KubeconfigEntry,
): KubeconfigEntry {
  const entry = name === undefined ? undefined : entries.get(name);
  if (entry !== undefined) return entry;
  const by = namedBy === undefined ? '' : `the context "${namedBy.name}" refers to `;
  if (name === undefined) throw invalid(file, `${by}no ${what}`);
  const near = didYouMean(name, [...entries.keys()]);
  const available = availableNames(entries);
  throw invalid(file, `${by}${by === '' ? '' : 'the '}missing ${what} "${name}"${near === '' ? available : near}`);
}

function fixForNoContext({ files, contexts }: Kubeconfig): string {
  if (contexts.size === 0) return ', and no contexts; check that it is the right file';
  const [only = 'NAME'] = contexts.size === 1 ? contexts.keys() : [];
  const [file] = files;
  // With several files, it is unclear to which one kubectl would write.
  const where = files.length === 1 ? ` --kubeconfig ${file}` : '';
  return `; run "kubectl config use-context ${only}${where}"${availableNames(contexts)}`;
}

function availableNames(entries: ReadonlyMap<string, KubeconfigEntry>): string {
  if (entries.size === 0) return '';
  const listed = [...entries.keys()].slice(0, namesListed).map((each) => `"${each}"`);
  const more = entries.size - listed.length;
  return `; available: ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function textOf(entry: KubeconfigEntry, field: string): string | undefined {
  const value = entry.fields[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
