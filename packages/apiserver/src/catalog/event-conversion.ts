import type { ApiObject } from '../kind/api-object.ts';

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
  const converted = withRenamed(event, 'events.k8s.io/v1', (from, to) => [to, from]);
  for (const name of writtenEmptyByCore) if (converted[name] === '') delete converted[name];
  return converted;
}

/** The core group writes who reported an event even where nobody did. */
const writtenEmptyByCore = ['reportingController', 'reportingInstance'];

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
