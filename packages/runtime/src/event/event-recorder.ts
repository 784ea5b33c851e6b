import type { KubernetesObject } from '@evenkeel/core';

/** The contents of an Event, which `kubectl describe` and `kubectl events` print. */
export interface EventNote {
  type: 'Normal' | 'Warning';
  /** The reason as one CamelCase word: `Scaled`. At most 128 characters. */
  reason: string;
  /** A sentence. It is cut after 1 kB. */
  note: string;
  /** The action as one CamelCase word. Default: `Reconcile`. */
  action?: string;
  /** A second object that the Event is about. */
  related?: KubernetesObject;
}

/** A recorded Event, for observers. */
export interface RecordedEvent extends EventNote {
  /** The object that the Event is about. */
  readonly regarding: KubernetesObject;
}

/**
 * Publishes `events.k8s.io/v1` Events about objects.
 *
 * Promised: recording never waits, never throws and never fails a reconcile. An Event that cannot be written is logged and
 * dropped. A repeated Event becomes a series: the second occurrence is written at once, later ones are counted and written
 * together. Not promised: the order of Events about different objects.
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
