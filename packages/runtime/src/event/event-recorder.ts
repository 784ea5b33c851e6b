import type { KubernetesObject } from '@evenkeel/core';

/** What people read in `kubectl describe` and `kubectl events`. */
export interface EventNote {
  type: 'Normal' | 'Warning';
  /** Why, one CamelCase word: `Scaled`. At most 128 characters. */
  reason: string;
  /** A sentence. At most 1 kB; what is longer is cut. */
  note: string;
  /** What was done, one CamelCase word. Default `Reconcile`. */
  action?: string;
  /** A second object the event is about. */
  related?: KubernetesObject;
}

/**
 * Tells people what happened to an object, as `events.k8s.io/v1` Events.
 *
 * Recording never waits, never throws and never fails a reconcile: an Event that cannot be written is logged and
 * dropped. The same Event again becomes a series of the first: its second time is written at once, later ones are
 * counted and written together. Nothing is promised about order between objects.
 */
export abstract class EventRecorder {
  abstract record(regarding: KubernetesObject, event: EventNote): void;

  normal(regarding: KubernetesObject, reason: string, note: string): void {
    this.record(regarding, { type: 'Normal', reason, note });
  }

  warning(regarding: KubernetesObject, reason: string, note: string): void {
    this.record(regarding, { type: 'Warning', reason, note });
  }
}
