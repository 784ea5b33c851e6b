import type { ComparedServer } from '../comparison.fixture.ts';

const withinMs = 120_000;

export type Spec = Record<string, unknown>;

/** A course is a scenario of one object, in its own namespace on one server. */
export abstract class Course {
  protected readonly server: ComparedServer;
  protected readonly namespace: string;
  /** What was seen at each wait of the course. */
  readonly seen: unknown[] = [];

  constructor(server: ComparedServer, namespace: string) {
    this.server = server;
    this.namespace = namespace;
  }

  async begin(): Promise<void> {
    await this.send('POST', '/api/v1/namespaces', { metadata: { name: this.namespace } });
  }

  /** The Events of objects of a kind, in creation order, which their names encode; a repeated Event is written again. */
  protected async eventsOf(kind: string): Promise<string[]> {
    const items = (await this.list(this.path('/api/v1', 'events'))) as {
      type: string;
      reason: string;
      message: string;
      metadata: { name: string };
      involvedObject: { kind: string };
    }[];
    return items
      .filter(({ involvedObject }) => involvedObject.kind === kind)
      .sort((left, right) => (left.metadata.name < right.metadata.name ? -1 : 1))
      .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
  }

  /** Repeats `look` until its result fulfils `isSo`, and returns the result. */
  protected async wait<T>(what: string, look: () => Promise<T>, isSo: (seen: T) => boolean): Promise<T> {
    for (const deadline = Date.now() + withinMs; ; ) {
      const seen = await look();
      if (isSo(seen)) return seen;
      if (Date.now() > deadline) throw new Error(`never ${what}: ${JSON.stringify(seen)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Returns the body of a successful response; throws for any other. */
  protected async send(method: string, path: string, body?: unknown): Promise<unknown> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await this.server.send(method, path, { ...(body !== undefined && { body }), contentType });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  protected async list(path: string): Promise<unknown[]> {
    return ((await this.send('GET', path)) as { items: unknown[] }).items;
  }

  /** The path of a collection in the namespace, such as `/apis/apps/v1` and `statefulsets`, or of one object in it. */
  protected path(version: string, plural: string, one?: string): string {
    return `${version}/namespaces/${this.namespace}/${plural}${one === undefined ? '' : `/${one}`}`;
  }
}

interface CourseRun<C> {
  readonly seen: unknown;
  readonly course: C;
}

/** Declares a test for each course: two servers must have the same recorded states and the same Events. */
export function itIsTheSame<C extends Course>(
  courses: Readonly<Record<string, (course: C) => Promise<void>>>,
  start: () => Promise<ComparedServer[]>,
  courseOn: (server: ComparedServer, namespace: string) => C,
  comparable: (course: C, title: string) => unknown,
  eventsOf: (course: C) => Promise<string[]>,
): void {
  let servers: ComparedServer[] = [];
  let runs: Map<string, Promise<CourseRun<C>>[]>;

  beforeAll(async () => {
    servers = await start();
    // All at once, because a course spends most of its time waiting.
    runs = new Map(
      Object.entries(courses).map(([title, take], index) => [
        title,
        servers.map(async (server) => {
          const course = courseOn(server, `course-${index}`);
          await course.begin();
          await take(course);
          return { seen: comparable(course, title), course };
        }),
      ]),
    );
    // A course that continues between two tests could make the server load a module. Jest rejects an import at that time.
    await Promise.allSettled([...runs.values()].flat());
  });

  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it.each(Object.keys(courses))('%s', async (title) => {
    const [real, embedded] = await Promise.all(runs.get(title) ?? []);
    if (real === undefined || embedded === undefined) throw new Error(`${title} did not run`);
    expect(embedded.seen).toEqual(real.seen);
    const expected = await eventsOf(embedded.course);
    let events = await eventsOf(real.course);
    // The real server's controllers send at most five Events per second after a first burst.
    const deadline = Date.now() + withinMs;
    while (events.length < expected.length && Date.now() < deadline) events = await eventsOf(real.course);
    expect(expected).toEqual(events);
  });
}

/** A copy with sorted keys, so that equal objects have equal JSON. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, inOrder(member)]));
}
