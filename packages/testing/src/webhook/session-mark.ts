import type { OpenDoor } from './webhook-door.ts';

/** On everything that a session creates or changes, with a value that differs between sessions. */
export const sessionLabel = 'evenkeel.dev/webhook-session';
/** Where the process of the session listens. */
export const addressAnnotation = 'evenkeel.dev/webhook-address';
/** The conversion that a CRD had before the session, as JSON. */
export const originalConversionAnnotation = 'evenkeel.dev/original-conversion';

/** How later sessions recognize what a killed process has left. */
export interface SessionMark {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export function sessionMark(session: string, open: OpenDoor): SessionMark {
  const { url = '' } = open.clientConfigOf('/');
  return { labels: { [sessionLabel]: session }, annotations: { [addressAnnotation]: url } };
}
