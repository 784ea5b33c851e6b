import type { Found } from '../etcd-client.fixture.ts';

/** One request of a client. Times are milliseconds of one clock. */
export interface Operation {
  readonly kind: 'put' | 'get';
  readonly key: string;
  readonly startedMs: number;
  /** Undefined if the outcome is unknown: it may be executed at any later time. */
  readonly endedMs: number | undefined;
  /** What was written. */
  readonly value?: string;
  /** The revision of an acknowledged write. */
  readonly revision?: number;
  /** What was read. */
  readonly found?: Found | undefined;
}

/**
 * Checks that a history is linearizable: that each request seems to be executed at one moment between its start and its end. etcd gives
 * each write a revision. So there is one order to check, in which no acknowledged write may be missing:
 *
 * - A write that started after another one ended has a higher revision.
 * - A read finds the value of the acknowledged write with the revision that it reports, or of a write of unknown outcome.
 * - A read does not find an older revision than those that were acknowledged or read before it started.
 *
 * Each value must be written once. Returns the violations.
 */
export function checkHistory(history: readonly Operation[]): string[] {
  const puts = history.filter(({ kind }) => kind === 'put');
  const acknowledged = puts.filter(({ endedMs }) => endedMs !== undefined);
  const violations: string[] = [];
  const byRevision = new Map<number, Operation>();
  for (const put of acknowledged) {
    const other = byRevision.get(put.revision ?? 0);
    if (other !== undefined) violations.push(`two writes have revision ${put.revision}: ${put.value}, ${other.value}`);
    byRevision.set(put.revision ?? 0, put);
  }
  const writes = acknowledged.map((put) => ({
    ...timesOf(put),
    key: put.key,
    revision: put.revision ?? 0,
    what: `the write of ${put.value}`,
  }));
  violations.push(...outOfOrder(writes));

  const reads = history.filter(({ kind, endedMs }) => kind === 'get' && endedMs !== undefined);
  for (const read of reads) {
    const problem = checkValue(read.key, read.found, byRevision, puts, read.endedMs ?? 0);
    if (problem !== undefined) violations.push(`a read of ${read.key} found ${problem}`);
  }
  for (const key of new Set(history.map((one) => one.key))) {
    const events = [
      ...writes.filter((write) => write.key === key),
      ...reads
        .filter((read) => read.key === key)
        .map((read) => ({
          ...timesOf(read),
          revision: read.found?.revision ?? 0,
          what: `a read of ${key}`,
          isRead: true,
        })),
    ];
    violations.push(...outOfOrder(events));
  }
  return violations;
}

/**
 * Checks that data is exactly that of a revision: for each key, the last write up to it. Returns the violations.
 *
 * @param revision the revision of the data
 * @param savedMs when the backup was started: it must contain all writes that had been acknowledged
 */
export function checkRestored(
  history: readonly Operation[],
  { revision, found }: { readonly revision: number; readonly found: ReadonlyMap<string, Found> },
  savedMs: number,
): string[] {
  const puts = history.filter(({ kind }) => kind === 'put');
  const acknowledged = puts.filter(({ endedMs }) => endedMs !== undefined);
  const byRevision = new Map(acknowledged.map((put) => [put.revision ?? 0, put]));
  const violations = acknowledged
    .filter(({ endedMs = 0, revision: written = 0 }) => endedMs < savedMs && written > revision)
    .map(({ value }) => `the backup lacks ${value}, which was acknowledged before`);
  for (const key of new Set(puts.map((put) => put.key))) {
    const value = found.get(key);
    const included = acknowledged.filter((put) => put.key === key && (put.revision ?? 0) <= revision);
    const last = Math.max(0, ...included.map((put) => put.revision ?? 0));
    const problem = checkValue(key, value, byRevision, puts, Infinity);
    if (problem !== undefined) violations.push(`the restored ${key} is ${problem}`);
    if ((value?.revision ?? 0) < last)
      violations.push(`the restored ${key} has revision ${value?.revision}, not ${last}`);
    if ((value?.revision ?? 0) > revision) violations.push(`the restored ${key} is newer than the backup`);
  }
  return violations;
}

/** Returns what is wrong with a value that was found; undefined if nothing is. */
function checkValue(
  key: string,
  found: Found | undefined,
  byRevision: ReadonlyMap<number, Operation>,
  puts: readonly Operation[],
  endedMs: number,
): string | undefined {
  if (found === undefined) return undefined;
  const written = byRevision.get(found.revision);
  if (written !== undefined)
    return written.value === found.value && written.key === key
      ? undefined
      : `${found.value} at revision ${found.revision}, which wrote ${written.value}`;
  const isInFlight = puts.some(
    (put) => put.key === key && put.value === found.value && put.endedMs === undefined && put.startedMs <= endedMs,
  );
  return isInFlight ? undefined : `${found.value} at revision ${found.revision}, which no write has`;
}

interface Span {
  readonly startedMs: number;
  readonly endedMs: number;
  readonly revision: number;
  readonly what: string;
  readonly isRead?: boolean;
}

const timesOf = ({ startedMs, endedMs = Infinity }: Operation) => ({ startedMs, endedMs });

/** Returns those that have a lower revision than one that ended before they started. A write must not have the same either. */
function outOfOrder(spans: readonly Span[]): string[] {
  const byEnd = spans.toSorted((one, other) => one.endedMs - other.endedMs);
  const violations: string[] = [];
  let highest: Span | undefined;
  let next = 0;
  for (const span of spans.toSorted((one, other) => one.startedMs - other.startedMs)) {
    for (; (byEnd[next]?.endedMs ?? Infinity) < span.startedMs; next++) {
      const ended = byEnd[next];
      if (ended !== undefined && ended.revision > (highest?.revision ?? -1)) highest = ended;
    }
    if (highest === undefined) continue;
    const isWrong = span.isRead === true ? span.revision < highest.revision : span.revision <= highest.revision;
    if (isWrong)
      violations.push(`${span.what} has revision ${span.revision}, after ${highest.what} had ${highest.revision}`);
  }
  return violations;
}
