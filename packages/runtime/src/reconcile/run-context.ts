import type { Client } from '@evenkeel/client';
import {
  EvenkeelError,
  type KindClass,
  type KubernetesObject,
  type LabelSelectorSpec,
  type Logger,
  type ObjectKey,
} from '@evenkeel/core';
import type { EventRecorder } from '../event/event-recorder.ts';
import { AppliedInRun } from './applied-in-run.ts';
import type { ApplyChildOptions, ChildApplier } from './apply-child.ts';
import type { ChildClaimer } from './claim-children.ts';
import type { ConditionSet } from './condition-set.ts';
import { DependentGraph, type Dependents, type DependentsOptions } from './dependents.ts';
import type { ChildPruner, PruneOptions } from './prune-children.ts';
import { type DerivedChild, ReconcileContext, type ReconcileEvents } from './reconcile-context.ts';
import type { Trigger } from './trigger.ts';

export interface RunContextOptions {
  readonly controller: string;
  readonly key: ObjectKey;
  readonly object: KubernetesObject;
  readonly triggers: readonly Trigger[];
  readonly conditions: ConditionSet;
  /** Whether the status may have conditions, derived from the kind's class and the object. */
  readonly mayHaveConditions: boolean;
  readonly recorder: EventRecorder;
  readonly applier: ChildApplier;
  readonly pruner: ChildPruner;
  readonly claimer: ChildClaimer;
  readonly client: Client;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** The context that a controller passes to a run. */
export class RunContext extends ReconcileContext {
  readonly controller: string;
  readonly key: ObjectKey;
  readonly triggers: readonly Trigger[];
  readonly conditions: ConditionSet;
  readonly events: ReconcileEvents;
  readonly client: Client;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly #object: KubernetesObject;
  readonly #applier: ChildApplier;
  readonly #pruner: ChildPruner;
  readonly #claimer: ChildClaimer;
  readonly #mayHaveConditions: boolean;
  readonly #applied = new AppliedInRun();
  #hasGraph = false;

  constructor(options: RunContextOptions) {
    super();
    this.controller = options.controller;
    this.key = options.key;
    this.triggers = options.triggers;
    this.conditions = options.conditions;
    this.client = options.client;
    this.logger = options.logger;
    this.signal = options.signal;
    this.#object = options.object;
    this.#applier = options.applier;
    this.#pruner = options.pruner;
    this.#claimer = options.claimer;
    this.#mayHaveConditions = options.mayHaveConditions;
    this.events = {
      normal: (reason, note) => options.recorder.normal(options.object, reason, note),
      warning: (reason, note) => options.recorder.warning(options.object, reason, note),
    };
  }

  /** The `foreign-child` and `child-not-cached` errors of applies. */
  get refusedChildren(): readonly EvenkeelError[] {
    return this.#applied.refused;
  }

  override apply(child: object, options?: ApplyChildOptions): Promise<never> {
    return this.#applier.apply(this.#object, child, this.#applied, this.signal, options) as Promise<never>;
  }

  override applyFrom<T extends KubernetesObject>(
    kind: KindClass<T>,
    name: string,
    desired: (stored: T | undefined) => DerivedChild<T> | Promise<DerivedChild<T>>,
    options?: ApplyChildOptions,
  ): Promise<T> {
    const { signal } = this;
    return this.#applier.applyFrom(this.#object, kind, name, desired, this.#applied, signal, options) as Promise<T>;
  }

  override claim<T extends KubernetesObject>(kind: KindClass<T>, selector: LabelSelectorSpec): Promise<T[]> {
    return this.#claimer.claim(this.#object, kind, selector, this.#applied, this.signal) as Promise<T[]>;
  }

  override prune(kinds?: KindClass | readonly KindClass[], options: PruneOptions = {}): Promise<KubernetesObject[]> {
    const listed = kinds === undefined || Array.isArray(kinds) ? kinds : [kinds as KindClass];
    return this.#pruner.prune(this.#object, listed, this.#applied, options, this.signal);
  }

  override dependents({ condition, deletion = 'Background' }: DependentsOptions = {}): Dependents {
    const standard = this.#mayHaveConditions ? 'DependentsReady' : undefined;
    const parts = {
      controller: this.controller,
      owner: this.#object,
      applier: this.#applier,
      pruner: this.#pruner,
      applied: this.#applied,
      conditions: this.conditions,
      condition: condition === false ? undefined : (condition ?? standard),
      deletion,
      signal: this.signal,
    };
    const begin = (): void => {
      if (this.#hasGraph) {
        throw new EvenkeelError(
          'invalid-dependents',
          `${this.controller}: dependents() was used for two graphs in one run, and the second would delete the children of the first; add all dependents to one graph`,
        );
      }
      this.#hasGraph = true;
    };
    return new DependentGraph(parts, begin) as unknown as Dependents;
  }
}
