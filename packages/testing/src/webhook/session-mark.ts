import { hostname } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { KubernetesObject } from '@evenkeel/core';
import type { OpenDoor } from './webhook-door.ts';

/** On everything that a session creates or changes, with a value that differs between sessions. */
export const sessionLabel = 'evenkeel.dev/webhook-session';
/** Where the process of the session listens. */
export const addressAnnotation = 'evenkeel.dev/webhook-address';
/** The process of the session, for people. */
export const processAnnotation = 'evenkeel.dev/webhook-process';
/** The conversion that a CRD had before the session, as JSON. */
export const originalConversionAnnotation = 'evenkeel.dev/original-conversion';
/** The owners of the fields of that conversion, as JSON. */
export const originalOwnersAnnotation = 'evenkeel.dev/original-conversion-owners';

/** With these marks, later sessions recognise the objects of a killed process. */
export interface SessionMark {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

const thisProcess = `process ${process.pid} on ${hostname()}, since ${new Date(performance.timeOrigin).toISOString()}`;

export function sessionMark(session: string, open: OpenDoor): SessionMark {
  const { url = '' } = open.clientConfigOf('/');
  const annotations = { [addressAnnotation]: url, [processAnnotation]: thisProcess };
  return { labels: { [sessionLabel]: session }, annotations };
}

type Marked = Pick<KubernetesObject, 'metadata'>;

/** Whether a session of this process has marked an object. */
export function isOfThisProcess({ metadata }: Marked): boolean {
  return metadata.annotations?.[processAnnotation] === thisProcess;
}

/** Returns which process has marked an object, for people. */
export function shownProcess({ metadata }: Marked): string {
  const { annotations = {} } = metadata;
  return annotations[processAnnotation] ?? `at ${annotations[addressAnnotation] ?? 'an unknown address'}`;
}

/** Returns the session that has marked an object. */
export function sessionOf({ metadata }: Marked): string | undefined {
  return metadata.labels?.[sessionLabel];
}
