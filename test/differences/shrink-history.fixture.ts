import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { Difference, HistoryComparison } from './compare-history.fixture.ts';
import type { History } from './history.fixture.ts';
import type { HistoryRequest } from './history-request.fixture.ts';

/** The most runs that shrinking one history takes. */
const runsMax = 60;

export interface Shrunk {
  readonly history: History;
  readonly difference: Difference;
}

/** Returns a shorter history with the same difference, without requests and members of bodies that it does not need. */
export async function shrinkHistory(
  history: History,
  found: Difference,
  comparison: HistoryComparison,
): Promise<Shrunk> {
  let runs = 0;
  let best: Shrunk = {
    history: { ...history, requests: history.requests.slice(0, found.index + 1) },
    difference: found,
  };
  const isAsGood = async (requests: readonly HistoryRequest[]): Promise<boolean> => {
    if (runs++ >= runsMax) return false;
    const difference = await comparison.firstDifference({ requests });
    if (difference === undefined || difference.index !== requests.length - 1) return false;
    if (signatureOf(difference) !== signatureOf(found)) return false;
    best = { history: { ...history, requests }, difference };
    return true;
  };
  for (let index = best.history.requests.length - 2; index >= 0; index--) {
    await isAsGood(best.history.requests.toSpliced(index, 1));
  }
  for (let index = best.history.requests.length - 1; index >= 0; index--) {
    await shrinkRequest(index, () => best.history.requests, isAsGood);
  }
  return best;
}

/** What remains when a history is shrunk: the two statuses, and the path of the first value that differs. */
function signatureOf({ expected, actual, lines }: Difference): string {
  const place = lines[0]?.split(':')[0]?.replaceAll(/\.\d+/g, '');
  return `${(expected as JsonObject)['status']} ${(actual as JsonObject)['status']} ${place}`;
}

async function shrinkRequest(
  index: number,
  requests: () => readonly HistoryRequest[],
  isAsGood: (requests: readonly HistoryRequest[]) => Promise<boolean>,
): Promise<void> {
  const replaced = (request: HistoryRequest): readonly HistoryRequest[] => [...requests()].with(index, request);
  const current = (): HistoryRequest => requests()[index] as HistoryRequest;
  const { accept: _, ...withoutAccept } = current();
  if (current().accept !== undefined) await isAsGood(replaced(withoutAccept));
  const { live: __, ...withoutLive } = current();
  if (current().live !== undefined) await isAsGood(replaced(withoutLive));
  const [path = '', query] = current().path.split('?');
  if (query !== undefined) {
    for (const parameter of query.split('&')) {
      const left = (current().path.split('?')[1] ?? '').split('&').filter((other) => other !== parameter);
      await isAsGood(replaced({ ...current(), path: left.length === 0 ? path : `${path}?${left.join('&')}` }));
    }
  }
  for (let at = 0; ; ) {
    const smaller = withoutMember(current().body, at);
    if (smaller === undefined) return;
    if (!(await isAsGood(replaced({ ...current(), body: smaller })))) at++;
  }
}

/** A body of JSON without its member or item at a place, counted from the outside; undefined if there is no such place. */
function withoutMember(body: string | undefined, place: number): string | undefined {
  if (body === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  let left = place;
  let level = [value];
  while (level.length > 0) {
    for (const parent of level) {
      if (typeof parent !== 'object' || parent === null) continue;
      for (const key of Object.keys(parent)) {
        if (left-- > 0) continue;
        if (Array.isArray(parent)) parent.splice(Number(key), 1);
        else if (isJsonObject(parent)) delete parent[key];
        return JSON.stringify(value);
      }
    }
    level = level.flatMap((parent) => (typeof parent === 'object' && parent !== null ? Object.values(parent) : []));
  }
  return undefined;
}
