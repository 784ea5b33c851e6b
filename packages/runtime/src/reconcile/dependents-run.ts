import { isJsonObject } from '@evenkeel/apimachinery/json';
import {
  apiVersionOf,
  describeValue,
  EvenkeelError,
  type KubernetesObject,
  messageOf,
  ObjectKey,
} from '@evenkeel/core';
import type { AppliedInRun } from './applied-in-run.ts';
import type { ChildApplier } from './apply-child.ts';
import type { ConditionSet } from './condition-set.ts';
import type { DependentState, DependentsReport } from './dependents-report.ts';
import type { PlannedDependent } from './planned-dependent.ts';
import type { ChildPruner, LabelledChild } from './prune-children.ts';

/** The label whose value is the name of the dependent in its owner's graph. */
export const dependentLabel = 'evenkeel.dev/dependent';

export interface DependentsRunParts {
  readonly controller: string;
  readonly owner: KubernetesObject;
  readonly applier: ChildApplier;
  readonly pruner: ChildPruner;
  readonly applied: AppliedInRun;
  readonly conditions: ConditionSet;
  /** The type of the condition to set. Undefined: none. */
  readonly condition: string | undefined;
  readonly deletion: 'Background' | 'Foreground';
  readonly signal: AbortSignal;
}

interface Failure {
  readonly name: string;
  readonly error: unknown;
}

/** Shorter than the 32 KiB that Kubernetes allows, so that people can read it. */
const longestMessage = 1024;

/** One run of a graph of dependents. See `Dependents` for the contract. */
export class DependentsRun {
  readonly #parts: DependentsRunParts;
  readonly #dependents: readonly PlannedDependent[];
  readonly #isEnding: boolean;
  readonly #states = new Map<string, DependentState>();
  readonly #live = new Map<string, KubernetesObject>();
  readonly #failures: Failure[] = [];
  /** The children that existed before, by the name of their dependent. */
  readonly #existing: ReadonlyMap<string, readonly LabelledChild[]>;

  /** @param isEnding whether all are deleted because their owner is being deleted. */
  constructor(parts: DependentsRunParts, dependents: readonly PlannedDependent[], isEnding: boolean) {
    this.#parts = parts;
    this.#isEnding = isEnding;
    this.#dependents = dependents;
    this.#existing = Map.groupBy(parts.pruner.labelled(parts.owner, dependentLabel), ({ value }) => value);
  }

  async run(): Promise<DependentsReport<object>> {
    await this.#applyAll();
    await this.#deleteAll();
    const states = this.#dependents.flatMap(({ name }) => this.#states.get(name) ?? []);
    const message = this.#message(states);
    const ready = this.#failures.length === 0 && message === '';
    const { condition, conditions } = this.#parts;
    if (condition !== undefined) conditions.set(condition, ready && !this.#isEnding, this.#reason(states), message);
    this.#throwFailures();
    return { ready, states, message, children: Object.fromEntries(this.#live) };
  }

  async #applyAll(): Promise<void> {
    const done = new Map<string, Promise<void>>();
    for (const dependent of this.#dependents) {
      if (!dependent.isWanted) continue;
      const needed = dependent.needs.map((name) => done.get(name));
      done.set(
        dependent.name,
        Promise.all(needed).then(() => this.#apply(dependent)),
      );
    }
    await Promise.all(done.values());
  }

  /** Never rejects. */
  async #apply(dependent: PlannedDependent): Promise<void> {
    const { name, needs } = dependent;
    const waitsFor = needs.filter((needed) => this.#states.get(needed)?.state !== 'ready');
    const existing = this.#existing.get(name) ?? [];
    if (waitsFor.length > 0) {
      this.#leave(name, existing);
      this.#states.set(name, { name, state: 'waiting', waitsFor });
      return;
    }
    try {
      const child = await this.#applyChild(dependent);
      this.#live.set(name, child);
      this.#states.set(name, { name, state: isReady(dependent, child) ? 'ready' : 'unready', waitsFor: [] });
    } catch (error) {
      this.#leave(name, existing);
      this.#states.set(name, { name, state: 'unready', waitsFor: [] });
      this.#failures.push({ name, error });
    }
  }

  /** Keeps the existing children of a dependent, also in a later prune. */
  #leave(name: string, existing: readonly LabelledChild[]): void {
    for (const { ownedKind, child } of existing) {
      this.#parts.applied.keep(ownedKind.resource, ObjectKey.of(child));
      this.#live.set(name, child);
    }
  }

  async #applyChild({ name, kind, desired, needs, adopt }: PlannedDependent): Promise<KubernetesObject> {
    const { applier, pruner, owner, applied, signal, controller } = this.#parts;
    const { resource } = pruner.requireOwned(kind);
    signal.throwIfAborted();
    const given = desired(Object.fromEntries(needs.map((needed) => [needed, this.#live.get(needed)])));
    if (!isJsonObject(given) || given instanceof Promise) {
      throw new EvenkeelError(
        'invalid-dependents',
        `${controller}: dependent "${name}": the function returned ${describeValue(given)}; return a ${resource.kind} synchronously`,
      );
    }
    const {
      apiVersion = apiVersionOf(resource),
      kind: itsKind = resource.kind,
      metadata,
    } = given as Partial<KubernetesObject>;
    if (apiVersion !== apiVersionOf(resource) || itsKind !== resource.kind) {
      throw new EvenkeelError(
        'invalid-dependents',
        `${controller}: dependent "${name}": it was added as ${apiVersionOf(resource)} ${resource.kind}, but the function returned ${apiVersion} ${itsKind}; return the kind that you pass to add()`,
      );
    }
    const labels = { ...metadata?.labels, [dependentLabel]: name };
    return applier.apply(
      owner,
      { ...given, apiVersion, kind: itsKind, metadata: { ...metadata, labels } },
      applied,
      signal,
      adopt === undefined ? {} : { adopt },
      `add('${name}', ${resource.kind}, ..., { adopt: true })`,
    );
  }

  /** Deletes in reverse order, so that a dependent is deleted after those that need it. */
  async #deleteAll(): Promise<void> {
    const known = new Set(this.#dependents.map(({ name }) => name));
    for (const [name, children] of this.#existing) {
      if (!known.has(name)) await this.#deleteSafely(name, children);
    }
    for (const { name, isWanted } of this.#dependents.toReversed()) {
      const existing = this.#existing.get(name) ?? [];
      if (isWanted) {
        if (this.#states.get(name)?.state !== 'waiting' && !this.#hasFailed(name))
          await this.#deleteSafely(name, this.#formerOf(name, existing));
        continue;
      }
      const waitsFor = this.#dependents
        .filter((other) => other.needs.includes(name) && this.#states.get(other.name)?.state === 'deleting')
        .map((other) => other.name);
      if (waitsFor.length === 0) await this.#deleteSafely(name, existing);
      const left = this.#stillThere(existing);
      for (const { ownedKind, child } of left) this.#parts.applied.keep(ownedKind.resource, ObjectKey.of(child));
      const [first] = left;
      if (first !== undefined) this.#live.set(name, first.child);
      this.#states.set(name, { name, state: left.length === 0 ? 'absent' : 'deleting', waitsFor });
    }
  }

  /** Children of a dependent before its object got another name or kind. */
  #formerOf(name: string, existing: readonly LabelledChild[]): LabelledChild[] {
    const current = this.#live.get(name);
    return existing.filter(
      ({ ownedKind, child }) =>
        !this.#parts.applied.has(ownedKind.resource, ObjectKey.of(child)) &&
        child.metadata.uid !== current?.metadata.uid,
    );
  }

  async #deleteSafely(name: string, children: readonly LabelledChild[]): Promise<void> {
    const { pruner, owner, deletion, signal } = this.#parts;
    for (const child of children) {
      try {
        signal.throwIfAborted();
        await pruner.remove(child, owner, deletion, signal);
      } catch (error) {
        this.#failures.push({ name, error });
      }
    }
  }

  #stillThere(children: readonly LabelledChild[]): LabelledChild[] {
    return children.flatMap(({ ownedKind, child, value }) => {
      const live = ownedKind.get(ObjectKey.of(child));
      return live?.metadata.uid === child.metadata.uid ? { ownedKind, child: live as KubernetesObject, value } : [];
    });
  }

  #hasFailed(name: string): boolean {
    return this.#failures.some((failure) => failure.name === name);
  }

  #reason(states: readonly DependentState[]): string {
    if (this.#failures.length > 0) return 'DependentFailed';
    if (states.some(({ state }) => state === 'unready' || state === 'waiting')) return 'DependentNotReady';
    if (states.some(({ state }) => state === 'deleting')) return 'DependentDeleting';
    return this.#isEnding ? 'AllDeleted' : 'AllReady';
  }

  #message(states: readonly DependentState[]): string {
    const failed = this.#failures.map(({ name, error }) => `${name} failed: ${messageOf(error)}`);
    const others = states.flatMap(({ name, state, waitsFor }) => {
      if (this.#hasFailed(name)) return [];
      if (state === 'unready') return `${name} is not ready`;
      if (state === 'waiting') return `${name} waits for ${waitsFor.join(', ')}`;
      if (state !== 'deleting') return [];
      return waitsFor.length === 0
        ? `${name} is being deleted`
        : `${name} is deleted when ${waitsFor.join(', ')} is gone`;
    });
    return [...failed, ...others].join('; ').slice(0, longestMessage);
  }

  #throwFailures(): void {
    const [first, ...others] = this.#failures;
    if (first === undefined) return;
    if (others.length === 0) throw first.error;
    throw new AggregateError(
      this.#failures.map(({ error }) => error),
      `${this.#parts.controller}: several dependents failed: ${this.#failures.map(({ name }) => name).join(', ')}`,
    );
  }
}

function isReady({ name, ready }: PlannedDependent, child: KubernetesObject): boolean {
  if (child.metadata.deletionTimestamp !== undefined) return false;
  if (ready === undefined) return true;
  const { observedGeneration } = (('status' in child && child.status) || {}) as {
    readonly observedGeneration?: unknown;
  };
  const { generation } = child.metadata;
  if (typeof observedGeneration === 'number' && generation !== undefined && observedGeneration < generation)
    return false;
  const result: unknown = ready(child as never);
  if (typeof result === 'boolean') return result;
  throw new EvenkeelError(
    'invalid-dependents',
    `dependent "${name}": "ready" returned ${describeValue(result)}; return true or false synchronously`,
  );
}
