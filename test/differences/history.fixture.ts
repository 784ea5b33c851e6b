import { type Random, SeededRandom } from '@evenkeel/core';
import type { HistoryRequest } from './history-request.fixture.ts';
import { randomDefinition } from './random-definition.fixture.ts';
import { chance, pick } from './random-json.fixture.ts';
import { randomRequest } from './random-request.fixture.ts';
import { builtInTargets, collectionOf, namespaceMark, type Target } from './target.fixture.ts';

/** Requests to one namespace, which follow from a seed. */
export interface History {
  readonly seed: number;
  readonly requests: readonly HistoryRequest[];
}

export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** The history of a seed. */
export function randomHistory(seed: number): History {
  const random = new SeededRandom(seed);
  const requests: HistoryRequest[] = [
    { method: 'POST', path: '/api/v1/namespaces', body: JSON.stringify({ metadata: { name: namespaceMark } }) },
  ];
  const target = chance(random, 0.45) ? customTarget(random, requests) : pick(random, builtInTargets);
  const other = chance(random, 0.2) ? pick(random, builtInTargets) : target;
  const replays = target.namespaced && chance(random, 0.25);
  const version = pick(random, target.versions);
  // The watch cache of a custom kind starts with its first list.
  if (replays) requests.push({ method: 'GET', path: collectionOf(target, version) });
  const length = 6 + random.integer(10);
  for (let index = 0; index < length; index++) {
    requests.push(randomRequest(random, chance(random, 0.8) ? target : other, index));
  }
  if (replays) requests.push(replay(random, target, version));
  return { seed, requests };
}

/** A watch of all changes since the first list of the history, as a parallel watch sees them. */
function replay(random: Random, target: Target, version: string): HistoryRequest {
  const selectors = ['labelSelector=app%3Dweb', 'labelSelector=!app', 'fieldSelector=metadata.name%3Da', ''];
  const accept = pick(random, [asTable, asPartial, undefined, undefined]);
  const query = `watch=1&timeoutSeconds=1&resourceVersion=@FIRST@&${pick(random, selectors)}`;
  return {
    method: 'GET',
    path: `${collectionOf(target, version)}?${query}`,
    ...(accept !== undefined && { accept }),
  };
}

const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const asPartial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';

function customTarget(random: Random, requests: HistoryRequest[]): Target {
  const { definition, target } = randomDefinition(random);
  requests.push({
    method: 'POST',
    path: definitions,
    body: JSON.stringify(definition),
  });
  return target;
}
