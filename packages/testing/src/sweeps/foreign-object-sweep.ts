import type { Client, RequestedKind } from '@evenkeel/client';
import {
  durationMs,
  groupResourceOf,
  type KubernetesObject,
  messageOf,
  type OwnerReference,
  SystemClock,
} from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { eventuallyAmong } from '../eventually.ts';
import { journalReport } from '../journal/journal-report.ts';
import { abandonableRound } from './abandonable-round.ts';
import { type ApiCall, describeCall, leases } from './api-call.ts';
import { assigned, maskAssigned } from './assigned-fields.ts';
import { differencesOf, type EndState } from './end-state.ts';
import { resourceOfKind } from './resource-of-kind.ts';
import { diverged, RoundError, type RoundFailure } from './round-failure.ts';
import { RoundOperators } from './round-operators.ts';
import { firstRound } from './sweep.ts';
import type { SweepOptions } from './sweep-options.ts';
import { newCallRecord } from './swept-transport.ts';
import { untilQuiet } from './until-quiet.ts';

/** The result of {@link foreignObjectSweep}. */
export interface ForeignObjectSweepReport {
  /** The number of rounds, each with one foreign object. */
  readonly rounds: number;
  /** The objects that the operator creates in a run without a fault, in order: `deployments.apps web`. */
  readonly children: readonly string[];
}

/** The ownership of an object with the name of a child. */
type Ownership = 'without an owner' | 'without an owner, with the labels of the child' | 'controlled by another object';
const ownerships: readonly Ownership[] = [
  'without an owner',
  'without an owner, with the labels of the child',
  'controlled by another object',
];

/** An object that an operator creates in a run without a fault. */
interface Child {
  readonly call: ApiCall;
  readonly kind: RequestedKind;
  readonly name: string;
  /** The request body, with the namespace of that run. */
  readonly body: string;
}

/**
 * Creates, before each round, one of the objects that an operator would create, with the same name and content, and
 * checks that the operator does not change it. There are three rounds for each object: without an owner, without an
 * owner but with the labels that the operator sets, and controlled by another object.
 *
 * Checked: the operator reads or writes the object, the server accepts no write of it, and its uid, owner references,
 * labels, finalizers and everything but the status are unchanged when the operator is quiet. Reports of the operator
 * are not checked.
 *
 * Not checked: Leases, objects with generated names (`generateName`), objects outside of the round's namespace, and kinds that
 * `kinds` does not list. The scenario cannot finish in these rounds. It is abandoned when the operator is quiet, and
 * its `eventually` rejects.
 *
 * Rejects with `sweep-diverged`, naming each object that the operator changed, or never read or wrote.
 */
export async function foreignObjectSweep<K extends RequestedKind>(
  options: SweepOptions<K>,
): Promise<ForeignObjectSweepReport> {
  const good = await firstRound(options);
  const children = good.record.creations.flatMap(({ call, body }) => childOf(call, body, options.kinds));
  const rounds = children.flatMap((child) => ownerships.map((ownership) => ({ child, ownership })));
  const failures: RoundFailure[] = [];
  let cause: unknown;
  const waiting = [...rounds];
  const work = async (): Promise<void> => {
    for (let round = waiting.shift(); round !== undefined; round = waiting.shift()) {
      const { child, ownership } = round;
      const failure = await runForeignRound(options, child, ownership, good.namespace).catch((error: unknown) => {
        cause ??= error;
        return messageOf(error);
      });
      if (failure !== undefined) failures.push({ title: `${describeChild(child)} ${ownership}`, problem: failure });
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 4 }, work));
  if (failures.length > 0)
    throw diverged(failures, cause, 'the operator changed objects that are not its children, or did not look for them');
  return { rounds: rounds.length, children: children.map(describeChild) };
}

function describeChild({ call, name }: Child): string {
  return `${call.resource} ${name}`;
}

/** Returns none if the server named the object, if its kind is not compared, or for a Lease, whose name another holder usually has. */
function childOf(call: ApiCall, body: string, kinds: readonly RequestedKind[]): Child[] {
  const kind = kinds.find((candidate) => groupResourceOf(resourceOfKind(candidate)) === call.resource);
  if (kind === undefined || !resourceOfKind(kind).namespaced || call.resource === leases) return [];
  const { metadata } = JSON.parse(body) as KubernetesObject;
  const name = call.name ?? metadata.name;
  return name === undefined ? [] : [{ call, kind, name, body }];
}

/** Returns the mistake of the operator; undefined if there is none. */
async function runForeignRound<K extends RequestedKind>(
  options: SweepOptions<K>,
  child: Child,
  ownership: Ownership,
  goodNamespace: string,
): Promise<string | undefined> {
  const { environment } = options;
  const namespace = await environment.createNamespace();
  try {
    return await mistakeIn(namespace, options, child, ownership, goodNamespace);
  } finally {
    await environment.releaseNamespace?.(namespace);
  }
}

async function mistakeIn<K extends RequestedKind>(
  namespace: string,
  options: SweepOptions<K>,
  { kind, name, body, call }: Child,
  ownership: Ownership,
  goodNamespace: string,
): Promise<string | undefined> {
  const { client } = options.environment;
  const object = JSON.parse(body.replaceAll(goodNamespace, namespace)) as KubernetesObject;
  const own = name.replaceAll(goodNamespace, namespace);
  const { labels, annotations } = object.metadata;
  const ownerReferences = ownership === 'controlled by another object' ? [await createOwner(client, namespace)] : [];
  const before = (await client.create(kind, {
    ...object,
    metadata: {
      name: own,
      namespace,
      ...(annotations === undefined ? {} : { annotations }),
      ...(labels === undefined || ownership === 'without an owner' ? {} : { labels }),
      ...(ownerReferences.length === 0 ? {} : { ownerReferences }),
    },
  } as never)) as KubernetesObject;

  const clock = new SystemClock();
  const record = newCallRecord();
  const operators = new RoundOperators(options, namespace, record);
  const timeoutMs = durationMs(options.timeout ?? '30s');
  const isOfChild = ({ resource, name: named, listedName }: ApiCall): boolean =>
    resource === call.resource && (named === own || listedName === own);
  const round = abandonableRound(
    namespace,
    client,
    () => timeoutMs,
    async () => undefined,
  );
  try {
    operators.start(undefined);
    await Promise.race([operators.serving(), operators.failure]);
    // The scenario may wait forever, and ends when the round is abandoned.
    options.scenario(round).catch(() => undefined);
    await Promise.race([
      eventuallyAmong(
        [],
        runForeignRound,
        () => {
          if (!record.calls.some(isOfChild)) throw new Error('the operator never read it and never tried to write it');
        },
        { timeout: `${timeoutMs}ms` },
      ),
      operators.failure,
    ]);
    const quietMs = durationMs(options.quiet ?? '100ms');
    await untilQuiet(() => record.pending === 0 && record.writes.length, clock, quietMs, timeoutMs);
  } catch (error) {
    throw new RoundError(messageOf(error), journalReport([operators.journal]), error);
  } finally {
    round.abandon();
    await operators.stop();
  }
  const written = record.accepted.find(isOfChild);
  if (written !== undefined) return `the operator wrote it (${describeCall(written)})`;
  const after = (await client.list(kind, { namespace, fields: { 'metadata.name': own } })).items[0];
  if (after === undefined) return 'it was deleted';
  const changed = differencesOf(stateOf(after as KubernetesObject), stateOf(before));
  return changed.length === 0 ? undefined : `it was changed: ${changed.join('; ')}`;
}

/** Returns the parts that only its owner may change. Controllers of the cluster write the status, annotations and assigned fields. */
function stateOf(object: KubernetesObject): EndState {
  const copy = JSON.parse(JSON.stringify(object)) as KubernetesObject & { readonly status?: unknown };
  maskAssigned(copy);
  const { status: _, metadata, ...rest } = copy;
  const { uid, labels, ownerReferences, finalizers, deletionTimestamp } = metadata;
  const compared = { ...rest, metadata: { uid, labels, ownerReferences, finalizers, deletionTimestamp } };
  // As JSON, so that undefined fields are omitted.
  const text = JSON.stringify(compared, (_key, value: unknown) => (value === assigned ? undefined : value));
  return new Map([['it', JSON.parse(text)]]);
}

/** Creates an existing owner, so that the garbage collector does not delete its objects. */
async function createOwner(client: Client, namespace: string): Promise<OwnerReference> {
  const { metadata } = await client.create(ConfigMap, { metadata: { generateName: 'another-owner-', namespace } });
  return { apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid ?? '', controller: true };
}
