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

/** The values that a manager provides to constructors. */
export type Provided = { readonly [Name in keyof typeof classes]: InstanceType<(typeof classes)[Name]> };

/** The values of constructor parameters that need not be listed as services, by class. */
export function providedValues(provided: Provided): ReadonlyMap<AnyClass, unknown> {
  return new Map(Object.entries(classes).map(([name, type]) => [type, provided[name as keyof Provided]]));
}

/** The same classes without values, for checks. */
export const providedClasses: ReadonlyMap<AnyClass, undefined> = new Map(
  Object.values(classes).map((type) => [type, undefined]),
);
