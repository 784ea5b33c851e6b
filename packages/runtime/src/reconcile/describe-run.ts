import { EvenkeelError, type LogKeys, messageOf, type ObjectKey } from '@evenkeel/core';
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

/** The maximum number of objects, and of paths per object, that a line names. It counts the rest. */
const causesNamed = 3;
const pathsNamed = 3;

/** `thrownAt` is the place in the user's code that threw the error: `src/nginx.controller.ts:40`. */
export function describeRun(run: ReconcileRun, thrownAt?: string): DescribedRun {
  const subjects = [...Map.groupBy(run.triggers, ({ kind, key }) => `${kind} ${key}`).values()];
  const causes = subjects.slice(0, causesNamed).map((triggers) => describeTriggers(triggers, run));
  const more = subjects.length - causes.length;
  const why = `${causes.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const isFailed = run.outcome === 'failed' || run.outcome === 'terminal';
  const groups = [...Map.groupBy(changesOf(run), (write) => identityOf(write)).values()];
  const effects = groups.flatMap((writes) => describeWrites(writes, run));
  const failure = `failed: ${withPlace(reasonOf(run.error), thrownAt)}`;
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

/** The message with that of the cause, which alone says why a `fetch` failed, unless the message contains it. */
function reasonOf(error: unknown): string {
  const message = messageOf(error);
  // The messages of Evenkeel are complete.
  const cause = error instanceof Error && !(error instanceof EvenkeelError) ? error.cause : undefined;
  if (!(cause instanceof Error)) return message;
  // The error of several addresses has only a code.
  const why = cause.message === '' ? (Reflect.get(cause, 'code') as unknown) : cause.message;
  return typeof why !== 'string' || why === '' || message.includes(why) ? message : `${message}: ${why}`;
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

/** Describes the triggers on one object, which may be several. */
function describeTriggers(triggers: readonly Trigger[], run: ReconcileRun): string {
  const [first] = triggers;
  if (first === undefined) return '';
  const isItself = first.kind === run.kind && String(first.key) === String(run.key);
  const subject = isItself ? first.kind : `${first.kind} ${nameIn(first.key, run.key.namespace)}`;
  const verbs = [...new Set(triggers.map(({ verb }) => verb))].join(' and ');
  return `${subject} ${verbs}${paths([...new Set(triggers.flatMap(({ changed }) => changed))])}`;
}

/** Requests with the same effect on the same object are described once. */
function identityOf({ effect, resource, key, subresource = '' }: ObjectWrite): string {
  return [effect, resource.group, resource.kind, key, subresource].join(' ');
}

function describeWrites(writes: readonly ObjectWrite[], run: ReconcileRun): string[] {
  const [write] = writes;
  if (write === undefined) return [];
  const { kind } = write.resource;
  const changed = [...new Set(writes.flatMap((one) => one.changed))];
  if (write.subresource === 'status' && kind === run.kind) {
    // For an object's first status, the whole status is new. A finalizer that the run added before is described
    // separately.
    const fields = changed.flatMap((path) => /^status\.(.*)$/.exec(path)?.[1] ?? []);
    return [`wrote status${paths(fields)}`];
  }
  return [`${write.effect} ${kind} ${nameIn(write.key, run.key.namespace)}${paths(changed)}`];
}

/** Includes the namespace only if it differs from that of the reconciled object. */
function nameIn(key: ObjectKey, namespace: string | undefined): string {
  return key.namespace === namespace ? key.name : String(key);
}

function paths(changed: readonly string[]): string {
  if (changed.length === 0) return '';
  const more = changed.length - pathsNamed;
  return ` (${changed.slice(0, pathsNamed).join(', ')}${more > 0 ? `, ${more} more` : ''})`;
}

/** `4 ms`, `1.2 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(1, Math.round(ms))} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}
