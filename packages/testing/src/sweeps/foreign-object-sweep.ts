import type { Client, RequestedKind } from '@evenkeel/client';
import {
  type ApiResource,
  durationMs,
  groupResourceOf,
  isMetadataClass,
  type KubernetesObject,
  type OwnerReference,
  resourceOf,
  SystemClock,
} from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { eventually } from '../eventually.ts';
import { type ApiCall, describeCall } from './api-call.ts';
import { differencesOf, type EndState } from './end-state.ts';
import { RoundOperators } from './round-operators.ts';
import { diverged, runRound, type SweepOptions, type SweepRound } from './sweep.ts';
import { newCallRecord } from './swept-transport.ts';
import { untilQuiet } from './until-quiet.ts';

export interface ForeignObjectSweepReport {
  /** How many rounds there were: each had one foreign object. */
  readonly rounds: number;
  /** The objects that the operator creates in a good run, in order: `deployments.apps web`. */
  readonly children: readonly string[];
}

/** Whose an object is that has the name of a child. */
type Ownership = 'owned by nobody' | 'owned by nobody, with the labels of the child' | 'controlled by another object';
const ownerships: readonly Ownership[] = [
  'owned by nobody',
  'owned by nobody, with the labels of the child',
  'controlled by another object',
];

/** An object that an operator creates in a good run. */
interface Child {
  readonly call: ApiCall;
  readonly kind: RequestedKind;
  readonly name: string;
  /** As it was sent, with the namespace of the good run. */
  readonly body: string;
}

/**
 * Creates, before each round, one of the objects that an operator would create, with the same name and content, and checks
 * that the operator leaves it alone. Each is tried in three ways: owned by nobody, owned by nobody but with the labels that
 * the operator gives it, and controlled by another object.
 *
 * Checked: the operator meets the object, no write of it is accepted, and uid, owner references, labels, finalizers and
 * everything but the status are as they were when the operator has gone quiet. What the operator reports is not checked.
 *
 * Not checked: objects without a name of their own (`generateName`), objects outside of the round's namespace, and kinds that
 * `kinds` does not list. The scenario does not come to its end in these rounds: it is abandoned when the operator has gone
 * quiet, and its `eventually` rejects.
 *
 * Rejects with `sweep-diverged`, naming each object that the operator changed or never met.
 */
export async function foreignObjectSweep(options: SweepOptions): Promise<ForeignObjectSweepReport> {
  const good = await runRound(options, undefined).catch((error: unknown) => {
    throw diverged([`without any fault: ${error instanceof Error ? error.message : String(error)}`], error);
  });
  const children = good.record.creations.flatMap(({ call, body }) => childOf(call, body, options.kinds));
  const rounds = children.flatMap((child) => ownerships.map((ownership) => ({ child, ownership })));
  const failures: string[] = [];
  const waiting = [...rounds];
  const work = async (): Promise<void> => {
    for (let round = waiting.shift(); round !== undefined; round = waiting.shift()) {
      const { child, ownership } = round;
      const failure = await runForeignRound(options, child, ownership, good.namespace).catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      );
      if (failure !== undefined) failures.push(`${describeChild(child)} ${ownership}: ${failure}`);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 4 }, work));
  if (failures.length > 0) throw diverged(failures, undefined, 'the operator did not leave alone what is not its own');
  return { rounds: rounds.length, children: children.map(describeChild) };
}

function describeChild({ call, name }: Child): string {
  return `${call.resource} ${name}`;
}

/** None where the object got its name from the server, or is of a kind that is not compared. */
function childOf(call: ApiCall, body: string, kinds: readonly RequestedKind[]): Child[] {
  const kind = kinds.find((candidate) => groupResourceOf(resourceOfKind(candidate)) === call.resource);
  if (kind === undefined || !resourceOfKind(kind).namespaced) return [];
  const { metadata } = JSON.parse(body) as KubernetesObject;
  const name = call.name ?? metadata.name;
  return name === undefined ? [] : [{ call, kind, name, body }];
}

function resourceOfKind(kind: RequestedKind): ApiResource {
  if (isMetadataClass(kind)) return resourceOf(kind.metadataOf);
  return typeof kind === 'function' ? resourceOf(kind) : kind;
}

/** What is wrong; undefined where nothing is. */
async function runForeignRound(
  options: SweepOptions,
  { kind, name, body, call }: Child,
  ownership: Ownership,
  goodNamespace: string,
): Promise<string | undefined> {
  const { client } = options.environment;
  const namespace = await options.environment.createNamespace();
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
      ...(labels === undefined || ownership === 'owned by nobody' ? {} : { labels }),
      ...(ownerReferences.length === 0 ? {} : { ownerReferences }),
    },
  } as never)) as KubernetesObject;

  const clock = new SystemClock();
  const record = newCallRecord();
  const operators = new RoundOperators(options, namespace, record);
  const timeoutMs = durationMs(options.timeout ?? '30s');
  const isOfChild = ({ resource, name: named, listedName }: ApiCall): boolean =>
    resource === call.resource && (named === own || listedName === own);
  const round = abandonable(namespace, client, timeoutMs);
  try {
    operators.start(undefined);
    // It may wait for what never comes, and ends when it is abandoned.
    options.scenario(round).catch(() => undefined);
    await Promise.race([
      eventually(
        () => {
          if (!record.calls.some(isOfChild)) throw new Error('the operator never asked for it, nor tried to write it');
        },
        { timeout: timeoutMs },
      ),
      operators.failure,
    ]);
    const quietMs = durationMs(options.quiet ?? '100ms');
    await untilQuiet(() => record.pending === 0 && record.writes.length, clock, quietMs, timeoutMs);
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

/** What nobody but its owner may change. Controllers of the cluster write the status and annotations. */
function stateOf(object: KubernetesObject): EndState {
  const { status: _, metadata, ...rest } = object as KubernetesObject & { readonly status?: unknown };
  const { uid, labels, ownerReferences, finalizers, deletionTimestamp } = metadata;
  const compared = { ...rest, metadata: { uid, labels, ownerReferences, finalizers, deletionTimestamp } };
  // As JSON, so that a field which is undefined is none.
  return new Map([['it', JSON.parse(JSON.stringify(compared))]]);
}

/** An object that exists, so that no garbage collector deletes what it controls. */
async function createOwner(client: Client, namespace: string): Promise<OwnerReference> {
  const { metadata } = await client.create(ConfigMap, { metadata: { generateName: 'another-owner-', namespace } });
  return { apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid ?? '', controller: true };
}

/** A round whose scenario may wait for what never comes, until it is abandoned. */
function abandonable(namespace: string, client: Client, timeoutMs: number): SweepRound & { abandon(): void } {
  let isAbandoned = false;
  const abandoned = Promise.withResolvers<never>();
  abandoned.promise.catch(() => undefined);
  return {
    namespace,
    client,
    eventually: (assertion, given) =>
      Promise.race([
        // The attempt after the end resolves, so that nothing goes on.
        eventually(() => (isAbandoned ? (undefined as never) : assertion()), { timeout: timeoutMs, ...given }),
        abandoned.promise,
      ]),
    abandon: () => {
      isAbandoned = true;
      abandoned.reject(new Error(`the round in ${namespace} is over`));
    },
  };
}
