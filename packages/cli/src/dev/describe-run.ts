import type { ObjectKey } from '@evenkeel/core';
import type { ReconcileRun } from '@evenkeel/runtime';
import type { Tone } from './narrator.ts';

type ObjectWrite = ReconcileRun['writes'][number];
type Trigger = ReconcileRun['triggers'][number];

/** A run as a person reads it. */
export interface DescribedRun {
  /** `default/web: Deployment updated (status.readyReplicas) -> wrote status (readyReplicas)` */
  readonly text: string;
  /** How long it took, and when it runs again by itself. */
  readonly aside: string;
  readonly tone: Tone;
}

/** At most this many objects and this many paths of each are named; the rest is counted. */
const causesNamed = 3;
const pathsNamed = 3;

/** `thrownAt` is where in the user's code an error came about, as a person finds it: `src/nginx.controller.ts:40`. */
export function describeRun(run: ReconcileRun, thrownAt?: string): DescribedRun {
  const subjects = [...Map.groupBy(run.triggers, ({ kind, key }) => `${kind} ${key}`).values()];
  const causes = subjects.slice(0, causesNamed).map((triggers) => describeTriggers(triggers, run));
  const more = subjects.length - causes.length;
  const why = `${causes.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const failed = run.outcome === 'failed' || run.outcome === 'terminal';
  const changes = run.writes.filter(({ effect }) => effect !== 'unchanged');
  const groups = [...Map.groupBy(changes, (write) => identityOf(write)).values()];
  const effects = groups.flatMap((writes) => describeWrites(writes, run));
  const failure = `failed: ${messageOf(run.error)}${thrownAt === undefined ? '' : ` (${thrownAt})`}`;
  const did = [...effects, ...(failed ? [failure] : endOf(run, effects.length === 0))];
  const again = run.againAfterMs === undefined ? '' : `, again in ${duration(run.againAfterMs)}`;
  return {
    text: `${run.key}: ${why === '' ? '' : `${why} -> `}${did.join(', ')}`,
    aside: `${duration(run.durationMs)}${again}`,
    tone: failed ? 'bad' : 'plain',
  };
}

function endOf(run: ReconcileRun, idle: boolean): string[] {
  switch (run.outcome) {
    case 'gone':
      return ['it is gone'];
    case 'deleting':
      return ['it is being deleted'];
    case 'conflict':
      return ['somebody else wrote it meanwhile'];
    case 'invalid':
      return ['it is invalid, and waits for a change'];
    default:
      return idle ? ['nothing to do'] : [];
  }
}

/** What happened to one object, which may be several things. */
function describeTriggers(triggers: readonly Trigger[], run: ReconcileRun): string {
  const [first] = triggers;
  if (first === undefined) return '';
  const isItself = first.kind === run.kind && String(first.key) === String(run.key);
  const subject = isItself ? first.kind : `${first.kind} ${nameIn(first.key, run.key.namespace)}`;
  const verbs = [...new Set(triggers.map(({ verb }) => verb))].join(' and ');
  return `${subject} ${verbs}${paths([...new Set(triggers.flatMap(({ changed }) => changed))])}`;
}

/** What is done to one object in one way is told once, however many requests it took. */
function identityOf({ effect, resource, key, subresource = '' }: ObjectWrite): string {
  return [effect, resource.group, resource.kind, key, subresource].join(' ');
}

function describeWrites(writes: readonly ObjectWrite[], run: ReconcileRun): string[] {
  const [write] = writes;
  if (write === undefined) return [];
  const { kind } = write.resource;
  const changed = [...new Set(writes.flatMap((one) => one.changed))];
  if (write.subresource === 'status' && kind === run.kind) {
    // The first status of an object is new as a whole. A finalizer that the run put on before is told by itself.
    const fields = changed.flatMap((path) => /^status\.(.*)$/.exec(path)?.[1] ?? []);
    return [`wrote status${paths(fields)}`];
  }
  return [`${write.effect} ${kind} ${nameIn(write.key, run.key.namespace)}${paths(changed)}`];
}

/** Namespaces are said only where they differ from the reconciled object's. */
function nameIn(key: ObjectKey, namespace: string | undefined): string {
  return key.namespace === namespace ? key.name : String(key);
}

function paths(changed: readonly string[]): string {
  if (changed.length === 0) return '';
  const more = changed.length - pathsNamed;
  return ` (${changed.slice(0, pathsNamed).join(', ')}${more > 0 ? `, ${more} more` : ''})`;
}

export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  return String(error);
}

/** `4 ms`, `1.2 s`, `3 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(1, Math.round(ms))} ms`;
  if (ms < 120_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}
