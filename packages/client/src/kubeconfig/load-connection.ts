import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type Clock, didYouMean, EvenkeelError, SystemClock } from '@evenkeel/core';
import type { Connection } from '../connection.ts';
import { checkFields } from './check-fields.ts';
import { inClusterConnection } from './in-cluster.ts';
import { invalid, type Kubeconfig, type KubeconfigEntry, readKubeconfig } from './kubeconfig.ts';
import { currentText, pemOf, userCredentials } from './user-credentials.ts';

export interface LoadConnectionOptions {
  /** A kubeconfig file; nothing else is looked at then. */
  kubeconfig?: string | undefined;
  /** Default: the file's current context. */
  context?: string | undefined;
  /** Default: the process's. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Default: the user's. */
  home?: string;
  /** Default: the system's. */
  clock?: Clock;
}

/**
 * Finds the cluster a program is meant for, as controller-runtime does: the file that was named, `KUBECONFIG` (several
 * files are merged), the pod's service account, `~/.kube/config`. Reads files, opens no connection.
 *
 * Throws `kubeconfig-not-found`, and `invalid-kubeconfig` where what is needed is missing from it. Files that the entries
 * refer to are read with the first request, which then rejects with `credentials-unavailable`; the authority's file at once.
 */
export async function loadConnection(options: LoadConnectionOptions = {}): Promise<Connection> {
  const clock = options.clock ?? new SystemClock();
  const environment = options.environment ?? process.env;
  const fromFiles = async (files: readonly string[]): Promise<Connection> =>
    await connectionOf(await readKubeconfig(files), options.context, clock);

  if (options.kubeconfig !== undefined) return await fromFiles([resolve(options.kubeconfig)]);
  const named = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (named.length > 0) {
    // As with kubectl, some of several may be absent.
    const present = named.filter((file) => existsSync(file));
    return await fromFiles((present.length > 0 ? present : named.slice(0, 1)).map((file) => resolve(file)));
  }
  const inCluster = await inClusterConnection(environment, clock);
  if (inCluster !== undefined && options.context === undefined) return inCluster;
  const standard = join(options.home ?? homedir(), '.kube', 'config');
  if (existsSync(standard)) return await fromFiles([standard]);
  throw new EvenkeelError(
    'kubeconfig-not-found',
    `there is no cluster to connect to: KUBECONFIG is not set, this is no pod, and ${standard} does not exist; name a kubeconfig with --kubeconfig FILE`,
  );
}

/** What a context of a kubeconfig, by default its current one, comes down to. */
export async function connectionOf(
  kubeconfig: Kubeconfig,
  contextName: string | undefined,
  clock: Clock,
): Promise<Connection> {
  const files = kubeconfig.files.join(', ');
  const name = contextName ?? kubeconfig.currentContext;
  if (name === undefined) throw invalid(files, `it has no current-context${mendOfNoContext(kubeconfig)}`);
  const context = entryOf(kubeconfig.contexts, name, 'context', files);
  checkFields(context, 'context');
  const cluster = entryOf(kubeconfig.clusters, textOf(context, 'cluster'), 'cluster', context.file, context);
  const userName = textOf(context, 'user');
  const user = userName === undefined ? undefined : entryOf(kubeconfig.users, userName, 'user', context.file, context);
  checkFields(cluster, 'cluster');
  if (user !== undefined) checkFields(user, 'user');
  const server = textOf(cluster, 'server');
  if (server === undefined) throw invalid(cluster.file, `the cluster "${cluster.name}" has no server`);
  const authority = pemOf(cluster, 'certificate-authority', clock);
  const ofUser = user === undefined ? undefined : userCredentials(user, cluster, clock);
  return {
    server,
    ca: await currentText(authority),
    serverName: textOf(cluster, 'tls-server-name'),
    insecureSkipTlsVerify: cluster.fields['insecure-skip-tls-verify'] === true,
    proxyUrl: textOf(cluster, 'proxy-url'),
    ...(typeof authority === 'function'
      ? // Its file is rotated like the others.
        { credentials: async (options) => ({ ...(await ofUser?.(options)), ca: await authority(options) }) }
      : ofUser !== undefined && { credentials: ofUser }),
    namespace: textOf(context, 'namespace') ?? 'default',
    origin: `context "${context.name}" in ${context.file}`,
  };
}

/** Of the entries that there are, where none is meant for sure. */
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
  const by = namedBy === undefined ? '' : `the context "${namedBy.name}" names `;
  if (name === undefined) throw invalid(file, `${by}no ${what}`);
  const near = didYouMean(name, [...entries.keys()]);
  const thereAre = whatThereIs(entries);
  throw invalid(
    file,
    `${by === '' ? 'there is no' : `${by}the`} ${what} "${name}"${by === '' ? '' : ', which is not there'}${near === '' ? thereAre : near}`,
  );
}

function mendOfNoContext({ files, contexts }: Kubeconfig): string {
  if (contexts.size === 0) return ', and no contexts to choose from; is it the right file?';
  const [only = 'NAME'] = contexts.size === 1 ? contexts.keys() : [];
  const [file] = files;
  // One of several is not the one that kubectl would write to for sure.
  const where = files.length === 1 ? ` --kubeconfig ${file}` : '';
  return `; choose one by "kubectl config use-context ${only}${where}"${whatThereIs(contexts)}`;
}

function whatThereIs(entries: ReadonlyMap<string, KubeconfigEntry>): string {
  if (entries.size === 0) return '';
  const listed = [...entries.keys()].slice(0, namesListed).map((each) => `"${each}"`);
  const more = entries.size - listed.length;
  return `; there ${entries.size === 1 ? 'is' : 'are'} ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function textOf(entry: KubeconfigEntry, field: string): string | undefined {
  const value = entry.fields[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
