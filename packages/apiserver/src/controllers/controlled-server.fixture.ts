import { ManualClock, SeededRandom, type Transport } from '@evenkeel/core';
import { ApiServer, type ApiServerOptions } from '../api-server.ts';
import { request, type TestAnswer } from '../request.fixture.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** An embedded server whose controllers act on their own, and on which time moves only where a test says so. */
export class ControlledServer {
  readonly clock: ManualClock;
  readonly #server: ApiServer;

  private constructor(server: ApiServer, clock: ManualClock) {
    this.#server = server;
    this.clock = clock;
  }

  static async start(options: Omit<ApiServerOptions, 'clock'> = {}): Promise<ControlledServer> {
    const clock = new ManualClock();
    const created = await ApiServer.create({ random: new SeededRandom(1), ...options, clock });
    const server = new ControlledServer(created, clock);
    // Controllers at work while no test runs would load modules then, which Jest forbids.
    await server.quiet();
    return server;
  }

  /** Ways into the server, for what watches it. */
  transport(): Transport {
    return this.#server.transport();
  }

  /** Whatever the server answers. A patch is a merge patch. */
  answer(method: Method, path: string, body?: unknown): Promise<TestAnswer> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    return request(this.#server.transport(), method, path, body, { 'content-type': contentType });
  }

  /** The body of an answer that is no refusal; throws for one. */
  async send(method: Method, path: string, body?: unknown): Promise<TestAnswer['body']> {
    const answer = await this.answer(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Asks until the answer is neither undefined nor false. */
  async until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
    for (const deadline = performance.now() + 90_000; performance.now() < deadline; ) {
      const answer = await ask();
      if (answer) return answer;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error('it did not come to that in a minute and a half');
  }

  /** Until nothing that could have happened has been left. */
  async quiet(): Promise<void> {
    for (let before = ''; ; ) {
      for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
      // A list tells the version of everything the server holds.
      const now: string = (await this.send('GET', '/api/v1/namespaces')).metadata.resourceVersion;
      if (now === before) return;
      before = now;
    }
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
