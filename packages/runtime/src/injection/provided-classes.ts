import { Client } from '@evenkeel/client';
import { type AnyClass, Clock, Logger, Random } from '@evenkeel/core';
import { EventRecorder } from '../event/event-recorder.ts';
import { MetricsRegistry } from '../metrics/metrics-registry.ts';

const classes = {
  client: Client,
  clock: Clock,
  random: Random,
  logger: Logger,
  recorder: EventRecorder,
  registry: MetricsRegistry,
};

/** What a manager itself offers to constructors. */
export type Provided = { readonly [Name in keyof typeof classes]: InstanceType<(typeof classes)[Name]> };

/** What constructors may ask for without listing it, by class. */
export function providedValues(provided: Provided): ReadonlyMap<AnyClass, unknown> {
  return new Map(Object.entries(classes).map(([name, type]) => [type, provided[name as keyof Provided]]));
}

/** The same, as long as there is nothing to give them: each has no value yet. */
export const providedClasses: ReadonlyMap<AnyClass, undefined> = new Map(
  Object.values(classes).map((type) => [type, undefined]),
);
