import { Client } from '@evenkeel/client';
import { type AnyClass, Clock, Logger, Random } from '@evenkeel/core';
import { EventRecorder } from '../event/event-recorder.ts';
import { MetricsRegistry } from '../metrics/metrics-registry.ts';

/** What constructors may ask for without listing it. */
export const providedClasses: readonly AnyClass[] = [Client, Clock, Random, Logger, EventRecorder, MetricsRegistry];
