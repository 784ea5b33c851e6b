import { Client } from '@evenkeel/client';
import { type AnyClass, Clock, Logger, Random } from '@evenkeel/core';
import { EventRecorder } from '../event/event-recorder.ts';
import { MetricsRegistry } from '../metrics/metrics-registry.ts';

const classes: readonly AnyClass[] = [Client, Clock, Random, Logger, EventRecorder, MetricsRegistry];

/** What constructors may ask for without listing it, as long as there is nothing to give them: each has no value yet. */
export const providedClasses: ReadonlyMap<AnyClass, undefined> = new Map(classes.map((type) => [type, undefined]));
