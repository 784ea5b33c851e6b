import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ApiServer } from '@evenkeel/apiserver';
import { type Client, createClient, httpsTransport } from '@evenkeel/client';
import { Controller, Owns, Reconcile, type Transport } from '@evenkeel/core';
import { ConfigMap, Deployment, Secret } from '@evenkeel/kinds';
import { createPinoLogger } from '../../packages/runtime/src/log/pino-logger.ts';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { TestOperator } from './operator.fixture.ts';

const badName = { metadata: { name: 'Bad_Name', namespace: 'default' } };

@Controller(ConfigMap, { name: 'calling' })
@Owns(Deployment)
class Calling {
  @Reconcile()
  async reconcile({ metadata: { name } }: ConfigMap, context: ReconcileContext): Promise<void> {
    if (name in calls) await helped(name as keyof typeof calls, context);
  }
}

/** The user's code may call its own functions. */
async function helped(name: keyof typeof calls, context: ReconcileContext): Promise<unknown> {
  return await calls[name](context);
}

const calls = {
  get: async ({ client }: ReconcileContext) => await client.get(Secret, 'default/missing'), // line of get
  list: async ({ client }: ReconcileContext) => {
    await client.list(Secret, { namespace: 'default', continue: 'odd', limit: 1 }); // line of list
  },
  all: async ({ client }: ReconcileContext) => {
    await client.list(Secret, { namespace: '..' }); // line of all
  },
  create: async ({ client }: ReconcileContext) => {
    await client.create(Secret, badName); // line of create
  },
  together: async ({ client }: ReconcileContext) => {
    await Promise.all([client.get(Secret, 'default/missing')]); // line of together
  },
  remove: async ({ client }: ReconcileContext) => {
    await client.delete(Secret, 'default/missing'); // line of remove
  },
  status: async ({ client }: ReconcileContext) => {
    await client.subresource(Deployment, 'default/missing', 'status').patch({ merge: {} }); // line of status
  },
  child: async (context: ReconcileContext) => {
    await context.apply(Object.assign(new Deployment(), { metadata: { name: 'x' }, spec: { replicas: -1 } })); // line of child
  },
  dependent: async (context: ReconcileContext) => {
    const graph = context.dependents();
    const bad = () => ({ metadata: { name: 'y' }, spec: { replicas: -1 } }) as never;
    await graph.add('bad', Deployment, bad).apply(); // line of dependent
  },
} satisfies Record<string, (context: ReconcileContext) => Promise<unknown>>;

const source = readFileSync(fileURLToPath(import.meta.url), 'utf8').split('\n');

function lineOf(marker: string): number {
  return source.findIndex((line) => line.endsWith(`// line of ${marker}`)) + 1;
}

interface Line {
  readonly msg: string;
  readonly name: string;
  readonly error: { readonly type: string; readonly message: string; readonly stack?: string };
  readonly [key: string]: unknown;
}

describe('a log line about an error of a request', () => {
  const lines: Line[] = [];
  let server: ApiServer;
  let operator: TestOperator;

  beforeAll(async () => {
    server = await ApiServer.create({ controllers: false });
    const logger = await createPinoLogger({ destination: { write: (line) => void lines.push(JSON.parse(line)) } });
    operator = await TestOperator.start({ transport: () => server.transport() } as never, [Calling], { logger });
    for (const name of Object.keys(calls)) {
      await operator.client.create(ConfigMap, { metadata: { name, namespace: 'default' } });
    }
    const failed = () => new Set(lines.filter(({ msg }) => msg === 'reconcile failed').map(({ name }) => name));
    await operator.until('a failed run of each call', () => failed().size === Object.keys(calls).length);
  });

  afterAll(async () => {
    await operator?.manager.stop();
    await server?.close();
  });

  it.each(Object.keys(calls))('has the line of user code that made the call, and no other frames: %s', (name) => {
    const [failed] = lines.filter((line) => line.msg === 'reconcile failed' && line.name === name);
    const frames = failed?.error.stack?.split('\n') ?? [];
    expect(frames[0]).toMatch(new RegExp(`^at .*/test/operators/error-lines\\.test\\.ts:${lineOf(name)}:\\d+\\)?$`));
    expect(frames.filter((frame) => !frame.includes('/test/operators/'))).toEqual([]);
    expect(frames.join('\n')).toMatch(/Calling\..*reconcile/);
  });
});

describe('an error of a client', () => {
  async function lineOfFailure(transport: Transport, call: (client: Client) => Promise<unknown>): Promise<string> {
    try {
      await call(createClient(transport));
    } catch (error) {
      const lines: Line[] = [];
      const logger = await createPinoLogger({ destination: { write: (line) => void lines.push(JSON.parse(line)) } });
      logger.error('failed', { error });
      return lines[0]?.error.stack?.split('\n')[0] ?? '';
    } finally {
      await transport.close();
    }
    throw new Error('the call did not fail');
  }

  it('has the line of the call if the server cannot be reached', async () => {
    const transport = httpsTransport({ server: 'https://127.0.0.1:1' });
    const frame = await lineOfFailure(transport, async (client) => {
      await client.get(Secret, 'default/missing'); // line of unreachable
    });
    expect(frame).toContain(`error-lines.test.ts:${lineOf('unreachable')}:`);
  });

  it('keeps the reason of an abort as it is', async () => {
    const server = await ApiServer.create({ controllers: false });
    const reason = new Error('enough');
    const { stack } = reason;
    const aborted = createClient(server.transport()).get(Secret, 'default/x', { signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toBe(reason);
    expect(reason.stack).toBe(stack);
    await server.close();
  });
});

describe('a warning of the API server', () => {
  it('names the request, its object and the line of the call, and is logged once for each kind and verb', async () => {
    const server = await ApiServer.create({ controllers: false });
    const lines: Line[] = [];
    const logger = await createPinoLogger({ destination: { write: (line) => void lines.push(JSON.parse(line)) } });
    const client = createClient(server.transport(), { logger });
    const odd = (name: string) => ({ metadata: { name, namespace: 'default' }, odd: true }) as never;
    for (const name of ['one', 'two']) {
      await client.create(ConfigMap, odd(name)); // line of warned
    }
    await client.create(Secret, odd('three'));
    await server.close();
    expect(lines.map(({ msg, warning, request, caller }) => ({ msg, warning, request, caller }))).toEqual([
      {
        msg: 'warning from the API server',
        warning: 'unknown field "odd"',
        request: 'create configmaps default/one',
        caller: expect.stringMatching(new RegExp(`error-lines\\.test\\.ts:${lineOf('warned')}:\\d+`)),
      },
      expect.objectContaining({ request: 'create secrets default/three' }),
    ]);
  });
});
