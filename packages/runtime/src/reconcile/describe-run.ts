import { type LogKeys, messageWithCause, type ObjectKey } from '@evenkeel/core';
import type { ObjectWrite, ReconcileRun } from './reconcile-run.ts';
import type { Trigger } from './trigger.ts';

/** The description of a run for people, as in `evenkeel dev` and in failures of tests. */
export interface DescribedRun {
  /** `Deployment updated (status.readyReplicas) -> wrote status (readyReplicas)` */
  readonly text: string;
  /** The text without the triggers. */
  readonly result: string;
  /** How long the run took, and when the next one is scheduled. */
  readonly aside: string;
  readonly isFailed: boolean;
}

/** The maximum number of triggering kinds, of objects per kind, and of paths that a line names. It counts the rest. */
const kindsNamed = 3;
const objectsNamed = 2;
const pathsNamed = 3;

/** `thrownAt` is the place in the user's code that threw the error: `src/nginx.controller.ts:40`. */
export function describeRun(run: ReconcileRun, thrownAt?: string): DescribedRun {
  const causes = [...Map.groupBy(run.triggers, (trigger) => `${trigger.kind} ${isOfItself(trigger, run)}`).values()];
  const named = causes.slice(0, kindsNamed).map((triggers) => describeTriggers(triggers, run));
  const others = objectsOf(causes.slice(kindsNamed).flat()).length;
  const why = `${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
  const isFailed = run.outcome === 'failed' || run.outcome === 'terminal';
  const groups = [...Map.groupBy(changesOf(run), effectOf).values()];
  const effects = groups.flatMap((writes) => describeWrites(writes, run));
  const failure = `failed: ${withPlace(messageWithCause(run.error), thrownAt)}`;
  const did = [...effects, ...(isFailed ? [failure] : endOf(run, effects.length === 0))];
  const result = did.join(', ');
  const again = run.againAfterMs === undefined ? '' : `, again in ${duration(run.againAfterMs)}`;
  return {
    text: `${why === '' ? '' : `${why} -> `}${result}`,
    result,
    aside: `${duration(run.durationMs)}${again}`,
    isFailed,
  };
}

/** Adds the line of the user's code that threw an error to its message, unless the message names it. */
export function withPlace(message: string, place: string | undefined): string {
  return place === undefined || message.includes(`${place})`) ? message : `${message} (${place})`;
}

/** The writes that had an effect. */
function changesOf({ writes }: ReconcileRun): ObjectWrite[] {
  return writes.filter(({ effect }) => effect !== 'unchanged');
}

/** The number of writes in a log line; a run may have any number. Further ones are counted. */
const writesLogged = 50;

/** The same facts as the keys of a log line. */
export function runLogKeys(run: ReconcileRun): LogKeys {
  const { triggers, outcome, durationMs, againAfterMs } = run;
  const writes = changesOf(run);
  const unlisted = writes.length - writesLogged;
  return {
    triggers: triggers.map(({ verb, kind, key, changed }) => ({ verb, kind, ...nameKeys(key), ...pathKeys(changed) })),
    writes: writes.slice(0, writesLogged).map(({ effect, resource, key, subresource, changed }) => ({
      effect,
      kind: resource.kind,
      ...nameKeys(key),
      ...(subresource === undefined ? {} : { subresource }),
      ...pathKeys(changed),
    })),
    ...(unlisted > 0 ? { unlistedWrites: unlisted } : {}),
    outcome,
    durationMs,
    ...(againAfterMs === undefined ? {} : { againAfterMs }),
  };
}

function nameKeys({ namespace, name }: ObjectKey): { namespace?: string; name: string } {
  return namespace === undefined ? { name } : { namespace, name };
}

function pathKeys(changed: readonly string[]): { changed?: readonly string[] } {
  return changed.length === 0 ? {} : { changed };
}

function endOf(run: ReconcileRun, idle: boolean): string[] {
  switch (run.outcome) {
    case 'gone':
      return ['it no longer exists'];
    case 'deleting':
      return ['it is being deleted'];
    case 'conflict':
      return ['another client wrote it during the run'];
    case 'invalid':
      return ['it is invalid and waits for a change'];
    default:
      return idle ? ['nothing to do'] : [];
  }
}

/** Describes the triggers on the run's own object, or on the objects of one kind. */
function describeTriggers(triggers: readonly Trigger[], run: ReconcileRun): string {
  const [first] = triggers;
  if (first === undefined) return '';
  const subject = isOfItself(first, run) ? first.kind : `${first.kind} ${names(triggers, run)}`;
  const verbs = [...new Set(triggers.map(({ verb }) => verb))].join(' and ');
  return `${subject} ${verbs}${paths(triggers.flatMap(({ changed }) => changed))}`;
}

function isOfItself({ kind, key }: Trigger, run: ReconcileRun): boolean {
  return kind === run.kind && String(key) === String(run.key);
}

/** The same effect on several objects of a kind is described once. */
function effectOf({ effect, resource, subresource = '' }: ObjectWrite): string {
  return [effect, resource.group, resource.kind, subresource].join(' ');
}

function describeWrites(writes: readonly ObjectWrite[], run: ReconcileRun): string[] {
  const [write] = writes;
  if (write === undefined) return [];
  const { kind } = write.resource;
  const changed = writes.flatMap((one) => one.changed);
  if (write.subresource === 'status' && kind === run.kind) {
    // For an object's first status, the whole status is new. A finalizer that the run added before is described
    // separately.
    const fields = changed.flatMap((path) => /^status\.(.*)$/.exec(path)?.[1] ?? []);
    return [`wrote status${paths(fields)}`];
  }
  return [`${write.effect} ${kind} ${names(writes, run)}${paths(changed)}`];
}

/** `web`, `web and shop/page`, `web and 11 more`. */
function names(subjects: readonly { readonly key: ObjectKey }[], run: ReconcileRun): string {
  const all = objectsOf(subjects).map((key) => nameIn(key, run.key.namespace));
  return all.length <= objectsNamed ? all.join(' and ') : `${all[0]} and ${all.length - 1} more`;
}

/** Returns each key once. */
function objectsOf(subjects: readonly { readonly key: ObjectKey }[]): ObjectKey[] {
  return [...new Map(subjects.map(({ key }) => [String(key), key])).values()];
}

/** Includes the namespace only if it differs from that of the reconciled object. */
function nameIn(key: ObjectKey, namespace: string | undefined): string {
  return key.namespace === namespace ? key.name : String(key);
}

function paths(changed: readonly string[]): string {
  const each = [...new Set(changed)];
  if (each.length === 0) return '';
  const more = each.length - pathsNamed;
  return ` (${each.slice(0, pathsNamed).join(', ')}${more > 0 ? `, ${more} more` : ''})`;
}

/** `4 ms`, `1.2 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(1, Math.round(ms))} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}
