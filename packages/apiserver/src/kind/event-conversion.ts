import type { ApiObject } from './api-object.ts';

/** Fields of `events.k8s.io/v1` whose names differ from those of the core group's Event, which is what is stored. */
const renamed: readonly (readonly [eventsName: string, coreName: string])[] = [
  ['note', 'message'],
  ['regarding', 'involvedObject'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

/** The two kinds of Event are one in the store; their fields differ in name only. */
export function coreEventOf(event: ApiObject): ApiObject {
  return withRenamed(event, 'v1', (from, to) => [from, to]);
}

export function eventsEventOf(event: ApiObject): ApiObject {
  return withRenamed(event, 'events.k8s.io/v1', (from, to) => [to, from]);
}

function withRenamed(
  event: ApiObject,
  apiVersion: string,
  direction: (eventsName: string, coreName: string) => [from: string, to: string],
): ApiObject {
  const converted: ApiObject = { ...event, apiVersion };
  for (const [eventsName, coreName] of renamed) {
    const [from, to] = direction(eventsName, coreName);
    if (converted[from] !== undefined) converted[to] = converted[from];
    delete converted[from];
  }
  return converted;
}
