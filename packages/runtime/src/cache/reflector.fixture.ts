import { createClient } from '@evenkeel/client';
import { Logger, type LogKeys, ManualClock, SeededRandom } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { Cache } from './cache.ts';
import type { Informer } from './informer.ts';
import { type Exchange, ScriptedServer } from './scripted-server.fixture.ts';

export class RecordingLogger extends Logger {
  readonly lines: string[] = [];
  readonly debugLines: string[] = [];
  debug(message: string, keys?: LogKeys): void {
    this.debugLines.push(`${message}: ${String((keys?.['error'] as Error | undefined)?.message)}`);
  }
  info(): void {}
  warn(message: string, keys?: LogKeys): void {
    this.lines.push(`${message}: ${String((keys?.['error'] as Error | undefined)?.message)}`);
  }
  error(message: string, keys?: LogKeys): void {
    this.warn(message, keys);
  }
  child(): Logger {
    return this;
  }
}

export interface Bench {
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
  readonly cache: Cache;
  readonly informer: Informer<ConfigMap>;
  /** The changes that the handler received. */
  readonly told: string[];
  readonly logger: RecordingLogger;
  readonly stop: AbortController;
}

/** An informer of ConfigMaps with a scripted server. The random seed is fixed; no test depends on it. */
export function start(namespaces?: string[]): Bench {
  const server = new ScriptedServer();
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const client = createClient(server, { clock });
  const cache = new Cache({ client, clock, random: new SeededRandom(1), logger });
  const informer = cache.informer(ConfigMap, { namespaces });
  const told: string[] = [];
  const short = (object: ConfigMap): string => `${object.metadata.name}@${object.metadata.resourceVersion}`;
  informer.addHandler({
    added: (object, isInitial) => told.push(`added ${short(object)}${isInitial ? ' initially' : ''}`),
    updated: (object, previous) => told.push(`updated ${short(previous)} to ${short(object)}`),
    deleted: (object, isUnknown) => told.push(`deleted ${short(object)}${isUnknown ? ' unseen' : ''}`),
  });
  const stop = new AbortController();
  cache.start(stop.signal);
  return { server, clock, cache, informer, told, logger, stop };
}

/** A ConfigMap in the form of the server. */
export function map(name: string, resourceVersion: string, uid = `uid of ${name}`): Record<string, unknown> {
  const metadata = { name, namespace: 'default', uid, resourceVersion, managedFields: [{ manager: 'kubectl' }] };
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { version: resourceVersion } };
}

export const list = (resourceVersion: string, items: unknown[], more?: string): object => ({
  kind: 'ConfigMapList',
  apiVersion: 'v1',
  metadata: { resourceVersion, continue: more },
  items: items.map((item) => ({ ...(item as object), kind: undefined, apiVersion: undefined })),
});

/** Completes the first sync with a WatchList of `a` at 5. Returns the watch, which continues. */
export async function synced(bench: Bench): Promise<Exchange> {
  const watch = await bench.server.next();
  watch.open();
  watch.event('ADDED', map('a', '5'));
  watch.endOfInitialEvents('10');
  await bench.informer.waitForSync();
  bench.told.length = 0;
  return watch;
}

export const names = (bench: Bench): string[] => bench.informer.lister.list().map(({ metadata }) => metadata.name);

/** Runs all callbacks of settled promises, without advancing the time. */
export const settle = (bench: Bench): Promise<void> => bench.clock.advance(0);

export const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
