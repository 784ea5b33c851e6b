import { ManualClock, SeededRandom, type Transport } from '@evenkeel/core';
import { ApiServer, type ApiServerOptions } from '../api-server.ts';
import { request, type TestAnswer } from '../request.fixture.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An embedded server whose controllers run by themselves, on a clock that only the test advances. */
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
    // Controllers that run between tests would load modules then, which Jest forbids.
    await server.quiet();
    return server;
  }

  /** Returns a transport to the server, for clients that watch it. */
  transport(): Transport {
    return this.#server.transport();
  }

  /** Returns the response, whatever its status. A patch is a merge patch. */
  answer(method: Method, path: string, body?: unknown): Promise<TestAnswer> {
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    return request(this.#server.transport(), method, path, body, { 'content-type': contentType });
  }

  /** Returns the body of a successful response; throws for any other. */
  async send(method: Method, path: string, body?: unknown): Promise<TestAnswer['body']> {
    const answer = await this.answer(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** Repeats the request until the result is neither undefined nor false. */
  async until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
    for (const deadline = performance.now() + 90_000; performance.now() < deadline; ) {
      const answer = await ask();
      if (answer) return answer;
      await new Promise((resolve) => setImmediate(resolve));
    }
    throw new Error('the condition was not met within 90 seconds');
  }

  /** Waits until no controller has anything left to do. */
  async quiet(): Promise<void> {
    for (let before = ''; ; ) {
      for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
      // The version of a list changes with every write to the server.
      const now: string = (await this.send('GET', '/api/v1/namespaces')).metadata.resourceVersion;
      if (now === before) return;
      before = now;
    }
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
