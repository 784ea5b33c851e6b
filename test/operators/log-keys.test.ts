import { ApiServer } from '@evenkeel/apiserver';
import { Controller, Owns, Reconcile } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import { Node } from '@evenkeel/kinds/core/v1';
import { createPinoLogger } from '../../packages/runtime/src/log/pino-logger.ts';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import {
  awaitChange,
  type ReconcileResult,
  requeueAfter,
} from '../../packages/runtime/src/reconcile/reconcile-result.ts';
import { TestOperator } from './operator.fixture.ts';

@Controller(ConfigMap, { name: 'failing' })
class Failing {
  @Reconcile()
  async reconcile(object: ConfigMap, { logger, client }: ReconcileContext): Promise<void> {
    if (object.metadata.name !== 'web') return;
    const secret = await client.get(Secret, 'default/db');
    logger.info('looked', { object, secret });
    throw new Error('no');
  }
}

@Controller(Node, { name: 'of-the-cluster' })
class OfTheCluster {
  @Reconcile()
  reconcile({ metadata: { name } }: Node, { logger }: ReconcileContext): void {
    logger.info('seen', { beside: name });
  }
}

describe('the log lines', () => {
  const lines: Record<string, unknown>[] = [];
  let server: ApiServer;
  let operator: TestOperator;

  beforeAll(async () => {
    server = await ApiServer.create({ controllers: false });
    const logger = await createPinoLogger({
      level: 'debug',
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    });
    operator = await TestOperator.start({ transport: () => server.transport() } as never, [Failing, OfTheCluster], {
      logger,
    });
    const { client } = operator;
    await client.create(Secret, {
      metadata: { name: 'db', namespace: 'default' },
      stringData: { password: 'hunter2' },
    });
    await client.create(ConfigMap, { metadata: { name: 'web', namespace: 'default' }, data: { greeting: 'hello' } });
    await client.create(Node, { metadata: { name: 'n1' } });
    await operator.until('two runs that failed', () => operator.outcomes('web').length > 1);
    await operator.until('the run of the node', () => operator.outcomes('n1').length > 0);
  });

  afterAll(async () => {
    await operator.manager.stop();
    await server.close();
  });

  const ofRun = {
    controller: 'failing',
    controllerGroup: '',
    controllerKind: 'ConfigMap',
    ConfigMap: { name: 'web', namespace: 'default' },
    namespace: 'default',
    name: 'web',
    reconcileID: expect.stringMatching(/^[\da-f]{8}-[\da-f-]{27}$/),
  };

  function logged(message: string): Record<string, unknown>[] {
    return lines.filter(({ msg, controller }) => msg === message && controller === 'failing');
  }

  it("have the keys of controller-runtime's lines during a run, also those of context.logger", () => {
    const [looked] = logged('looked');
    const failed = logged('reconcile failed').find(({ reconcileID }) => reconcileID === looked?.['reconcileID']);
    expect(looked).toEqual({
      ...{ level: 'info', time: expect.any(String), msg: 'looked', ...ofRun },
      object: { kind: 'ConfigMap', namespace: 'default', name: 'web' },
      secret: { kind: 'Secret', namespace: 'default', name: 'db' },
    });
    expect(failed).toMatchObject({
      level: 'error',
      ...ofRun,
      error: { message: 'no' },
      againAfterMs: expect.any(Number),
    });
    expect(lines.filter(({ msg, name }) => msg === 'reconciled' && name === 'web')[0]).toMatchObject(ofRun);
  });

  it('have a unique id for each run', () => {
    const ids = logged('looked').map(({ reconcileID }) => reconcileID);
    expect(ids.length).toBeGreaterThan(1);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have only the name for an object without a namespace', () => {
    expect(lines.find(({ msg }) => msg === 'seen')).toMatchObject({
      ...{ controller: 'of-the-cluster', controllerKind: 'Node', Node: { name: 'n1' }, namespace: '', name: 'n1' },
      beside: 'n1',
    });
  });

  it('name the controller outside of its runs', async () => {
    expect(lines.find(({ msg, controller }) => msg === 'controller started' && controller === 'failing')).toMatchObject(
      {
        controllerGroup: '',
        controllerKind: 'ConfigMap',
      },
    );
    expect(logged('controller started')[0]).not.toHaveProperty('reconcileID');
  });

  it('have a short line at the level debug after each run', () => {
    expect(logged('reconciled')[0]).toEqual({
      ...{ level: 'debug', time: expect.any(String), msg: 'reconciled', ...ofRun, name: expect.any(String) },
      ...{ outcome: expect.any(String), durationMs: expect.any(Number) },
    });
  });

  it('never contain the data of a Secret or a whole object', () => {
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|aHVudGVyMg|greeting|managedFields/);
  });
});

@Controller(ConfigMap, { name: 'copying' })
@Owns(Secret)
class Copying {
  @Reconcile()
  async reconcile({ metadata: { name } }: ConfigMap, context: ReconcileContext): Promise<ReconcileResult> {
    if (name !== 'web') return awaitChange();
    await context.apply(Object.assign(new Secret(), { metadata: { name: 'copy' }, stringData: { token: 'hunter2' } }));
    return requeueAfter('1h');
  }
}

describe('the log lines with the option logReconciles', () => {
  it('include a line for each run at the level info, with what triggered it, what it wrote, and how it ended', async () => {
    const lines: Record<string, unknown>[] = [];
    const server = await ApiServer.create({ controllers: false });
    const logger = await createPinoLogger({ destination: { write: (line) => void lines.push(JSON.parse(line)) } });
    const backend = { transport: () => server.transport() } as never;
    const operator = await TestOperator.start(backend, [Copying], { logger, logReconciles: true });
    await operator.client.create(ConfigMap, { metadata: { name: 'web', namespace: 'default' } });
    await operator.until('a run', () => operator.outcomes('web').length > 0);
    await operator.manager.stop();
    await server.close();
    const [first] = lines.filter(({ msg, name }) => msg === 'reconciled' && name === 'web');
    expect(first).toMatchObject({
      ...{ level: 'info', controller: 'copying', namespace: 'default', reconcileID: expect.any(String) },
      triggers: [{ verb: 'added', kind: 'ConfigMap', namespace: 'default', name: 'web' }],
      writes: [{ effect: 'created', kind: 'Secret', namespace: 'default', name: 'copy' }],
      outcome: 'requeue-after',
      durationMs: expect.any(Number),
      againAfterMs: 3_600_000,
    });
    expect(JSON.stringify(lines)).not.toContain('hunter2');
  });
});
