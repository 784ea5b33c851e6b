import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { type ComparedAnswer, type ComparedServer } from '../../packages/apiserver/src/comparison.fixture.ts';
import type { SendOptions } from '../real-server.fixture.ts';
import { comparableAnswer, withSortedErrors } from './comparable.fixture.ts';
import { differingLines, isSame } from './differing-lines.fixture.ts';
import { definitions, type History } from './history.fixture.ts';
import type { HistoryRequest } from './history-request.fixture.ts';
import { withLiterals } from './random-json.fixture.ts';
import { namespaceMark } from './target.fixture.ts';

/** The first request of a history to which two servers respond differently. */
export interface Difference {
  readonly index: number;
  readonly request: HistoryRequest;
  /** As compared, not as received. */
  readonly expected: unknown;
  readonly actual: unknown;
  /** The values that differ, one on each line: the path, the expected value and the actual one. */
  readonly lines: readonly string[];
}

/** The real server repeats a request this often if its response differs: some of its responses are in a random order. */
const attemptsMax = 12;
/** The same if only the order differs. Go starts a small map at one of 8 places, so that a second order may be rare. */
const orderAttemptsMax = 60;

/** Sends histories to two servers. Each run has a namespace of its own. */
export class HistoryComparison {
  readonly #real: ComparedServer;
  readonly #embedded: ComparedServer;
  readonly #prefix: string;
  #runs = 0;

  /** `prefix` starts the names of the namespaces, for servers that are used by several comparisons. */
  constructor(real: ComparedServer, embedded: ComparedServer, prefix = 'h') {
    this.#real = real;
    this.#embedded = embedded;
    this.#prefix = prefix;
  }

  /** Returns the first difference, or undefined if there is none. */
  async firstDifference({ requests }: Pick<History, 'requests'>): Promise<Difference | undefined> {
    const namespace = `${this.#prefix}${++this.#runs}`;
    const sides = [new Side(this.#real, namespace), new Side(this.#embedded, namespace)] as const;
    try {
      for (const [index, request] of requests.entries()) {
        const difference = await this.#compare(request, index, sides);
        if (difference !== undefined) return difference;
      }
      return undefined;
    } finally {
      const hasDefinition = requests.some(({ path }) => path === definitions);
      if (hasDefinition) await Promise.all(sides.map((side) => side.send(deletionOfDefinition)));
    }
  }

  async #compare(
    request: HistoryRequest,
    index: number,
    [real, embedded]: readonly [Side, Side],
  ): Promise<Difference | undefined> {
    const [first, answer] = await Promise.all([real.send(request), embedded.send(request)]);
    const actual = comparableAnswer(answer);
    let expected = comparableAnswer(first);
    const seen = [expected];
    // What the request changes, it must not change again.
    const repeats = request.method === 'GET' || first.status >= 400 || request.path.includes('dryRun=All');
    const differsInOrder = (): boolean => isSame(withSortedErrors(actual), withSortedErrors(expected));
    const isRandom = (): boolean => seen.some((one) => !isSame(one, seen[0]));
    const repeatsMore = (): boolean =>
      seen.length < attemptsMax || (seen.length < orderAttemptsMax && !isRandom() && differsInOrder());
    while (repeats && !isSame(actual, expected) && repeatsMore()) {
      expected = comparableAnswer(await real.send(request));
      seen.push(expected);
    }
    if (isRandom() && differsInOrder()) expected = actual;
    if (!isSame(actual, expected)) {
      return { index, request, expected, actual, lines: differingLines(expected, actual) };
    }
    await Promise.all([real.untilServed(first), embedded.untilServed(answer)]);
    return undefined;
  }
}

const deletionOfDefinition: HistoryRequest = {
  method: 'DELETE',
  path: `${definitions}/things.${namespaceMark}.example.com`,
};

/** One server, and what its responses contained. */
class Side {
  readonly #server: ComparedServer;
  readonly #namespace: string;
  readonly #objects = new Map<string, JsonObject>();
  #first = '';
  #list = '';
  #continue = '';

  constructor(server: ComparedServer, namespace: string) {
    this.#server = server;
    this.#namespace = namespace;
  }

  async send(request: HistoryRequest): Promise<ComparedAnswer> {
    const { method, path, contentType, accept } = request;
    const body =
      request.body === undefined ? undefined : withLiterals(this.#replaced(this.#merged(request, request.body)));
    const options: SendOptions = {
      ...(body !== undefined && { body }),
      ...(contentType !== undefined && { contentType }),
      ...(accept !== undefined && { accept }),
    };
    const answer = await this.#server.send(method, this.#replaced(path), options);
    this.#remember(answer.body);
    return answer;
  }

  /** Waits until the kind of a new definition is served. */
  async untilServed({ status, body }: ComparedAnswer): Promise<void> {
    const { kind, spec } = body as CustomResourceDefinition;
    if (status !== 201 || kind !== 'CustomResourceDefinition') return;
    for (const { name } of spec.versions.filter(({ served }) => served)) {
      const path = `/apis/${spec.group}/${name}/${spec.names.plural}`;
      while ((await this.#server.send('GET', path, {})).status !== 200) await delay(10);
    }
  }

  #merged({ live }: HistoryRequest, body: string): string {
    const current = live === undefined ? undefined : this.#objects.get(this.#replaced(live));
    if (current === undefined) return body;
    try {
      return JSON.stringify(merged(current, JSON.parse(body)));
    } catch {
      return body;
    }
  }

  #remember(body: unknown): void {
    if (!isJsonObject(body) || !isJsonObject(body['metadata'])) return;
    const { metadata, kind } = body;
    if (Array.isArray(body['items'])) {
      this.#list = String(metadata['resourceVersion']);
      this.#first ||= this.#list;
      this.#continue = String(metadata['continue'] ?? '');
    } else if (metadata['uid'] !== undefined) this.#objects.set(`${kind}/${metadata['name']}`, body);
  }

  #replaced(text: string): string {
    return text
      .replaceAll(namespaceMark, this.#namespace)
      .replaceAll('@FIRST@', this.#first === '' ? '0' : this.#first)
      .replaceAll('@LIST@', this.#list === '' ? '0' : this.#list)
      .replaceAll('@CONTINUE@', this.#continue)
      .replaceAll(/@VERSION:([^@]*)@/g, (_, key: string) => this.#metadataOf(key, 'resourceVersion') ?? '1')
      .replaceAll(/@UID:([^@]*)@/g, (_, key: string) => this.#metadataOf(key, 'uid') ?? 'none');
  }

  #metadataOf(key: string, field: string): string | undefined {
    const { metadata } = this.#objects.get(key) ?? {};
    return isJsonObject(metadata) ? String(metadata[field]) : undefined;
  }
}

/** The members of an object over those of the live one, down to the members of its spec. */
function merged(live: JsonObject, over: unknown, depth = 0): unknown {
  if (!isJsonObject(over)) return over;
  const both = { ...live };
  for (const [key, value] of Object.entries(over)) {
    const current = live[key];
    both[key] = depth === 0 && isJsonObject(current) ? merged(current, value, depth + 1) : value;
  }
  return both;
}
