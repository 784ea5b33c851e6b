import type { ComparedServer } from '../comparison.fixture.ts';

const withinMs = 120_000;

export type Spec = Record<string, unknown>;

/** A namespace on one server, in which one object takes its course. */
export abstract class Course {
  protected readonly server: ComparedServer;
  protected readonly namespace: string;
  /** What was seen whenever the course waited for something. */
  readonly seen: unknown[] = [];

  constructor(server: ComparedServer, namespace: string) {
    this.server = server;
    this.namespace = namespace;
  }

  async begin(): Promise<void> {
    await this.send('POST', '/api/v1/namespaces', { metadata: { name: this.namespace } });
  }

  /** Of objects of a kind, in the order in which they came about, which their names tell: a repeated one is written again. */
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

  /** Looks until what it sees is so, and gives that. */
  protected async wait<T>(what: string, look: () => Promise<T>, isSo: (seen: T) => boolean): Promise<T> {
    for (const deadline = Date.now() + withinMs; ; ) {
      const seen = await look();
      if (isSo(seen)) return seen;
      if (Date.now() > deadline) throw new Error(`never ${what}: ${JSON.stringify(seen)}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Gives the body of an answer that is no refusal; throws for one. */
  protected async send(method: string, path: string, body?: unknown): Promise<unknown> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await this.server.send(method, path, { ...(body !== undefined && { body }), contentType });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  protected async list(path: string): Promise<unknown[]> {
    return ((await this.send('GET', path)) as { items: unknown[] }).items;
  }

  /** Of a kind in the namespace, such as `/apis/apps/v1` and `statefulsets`, or of one object. */
  protected path(version: string, plural: string, one?: string): string {
    return `${version}/namespaces/${this.namespace}/${plural}${one === undefined ? '' : `/${one}`}`;
  }
}

interface CourseRun<C> {
  readonly seen: unknown;
  readonly course: C;
}

/** Declares a test for each course: it is the same on two servers, in what was seen and in the events told of it. */
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
    // All at once: what takes long about a course is that it waits.
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
    for (const each of runs.values()) for (const run of each) run.catch(() => undefined);
  });

  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it.each(Object.keys(courses))('%s', async (title) => {
    const [real, embedded] = await Promise.all(runs.get(title) ?? []);
    if (real === undefined || embedded === undefined) throw new Error(`${title} did not run`);
    expect(embedded.seen).toEqual(real.seen);
    const expected = await eventsOf(embedded.course);
    let events = await eventsOf(real.course);
    // The real server's controllers send five requests a second for Events once they sent some.
    const deadline = Date.now() + withinMs;
    while (events.length < expected.length && Date.now() < deadline) events = await eventsOf(real.course);
    expect(expected).toEqual(events);
  });
}

/** With sorted keys, so that the text of an object is always the same. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([key, member]) => [key, inOrder(member)]));
}
