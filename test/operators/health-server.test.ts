import { get } from 'node:http';
import { ApiServer } from '@evenkeel/apiserver';
import { createClient } from '@evenkeel/client';
import { Controller, ManualClock, Reconcile, type Transport } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { createManager, type Manager } from '../../packages/runtime/src/manager/manager.ts';
import { TestOperator } from './operator.fixture.ts';

const release: (() => void)[] = [];

@Controller(ConfigMap, { name: 'slow' })
class Slow {
  @Reconcile({ timeout: '30s' })
  async reconcile({ metadata: { name } }: ConfigMap): Promise<void> {
    if (name === 'slow') await new Promise<void>((resolve) => release.push(resolve));
  }
}

async function asked({ addresses }: Manager, path: string): Promise<{ status: number; body: string }> {
  return await new Promise((resolve, reject) => {
    get(`http://${addresses.health}${path}`, { agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    }).on('error', reject);
  });
}

const health = { address: '127.0.0.1:0' };

describe('the health server of a manager', () => {
  it('responds while the API server is unreachable: live, not ready, with the reason if verbose', async () => {
    const away: Transport = {
      request: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1:443')),
      close: async () => undefined,
    };
    const manager = await createManager({ transport: away, controllers: [Slow], health });
    try {
      await manager.start();
      expect(await asked(manager, '/healthz')).toEqual({ status: 200, body: 'ok' });
      const quiet = await asked(manager, '/readyz');
      expect(quiet.status).toBe(500);
      expect(quiet.body).toBe(
        '[-]manager failed: reason withheld\n[-]controller-slow failed: reason withheld\nreadyz check failed\n',
      );
      expect(manager.health.ready).toBe(false);
      expect((await asked(manager, '/readyz/controller-slow?verbose')).status).toBe(500);
    } finally {
      await manager.stop();
    }
  });

  it('is not ready and names the run while a run exceeds its timeout, is ready afterwards, and is always live', async () => {
    const server = await ApiServer.create({ controllers: false });
    const clock = new ManualClock(new Date());
    const operator = await TestOperator.start({ transport: () => server.transport() } as never, [Slow], {
      clock,
      health,
    });
    const { manager } = operator;
    try {
      expect(await asked(manager, '/readyz?verbose')).toEqual({
        status: 200,
        body: '[+]manager ok\n[+]controller-slow ok\nreadyz check passed\n',
      });
      await createClient(server.transport()).create(ConfigMap, { metadata: { name: 'slow', namespace: 'default' } });
      await operator.until('the run', () => release.length === 1);
      await clock.advance(30_000);
      expect(await asked(manager, '/readyz?verbose')).toEqual({
        status: 500,
        body: '[-]manager failed: controller slow has been reconciling default/slow for 30 s\n[-]controller-slow failed: the reconcile of default/slow is stuck\nreadyz check failed\n',
      });
      expect(await asked(manager, '/healthz?verbose')).toEqual({
        status: 200,
        body: '[+]ping ok\n[+]manager ok\nhealthz check passed\n',
      });
      release[0]?.();
      await operator.until('readiness', async () => (await asked(manager, '/readyz')).status === 200);
    } finally {
      await manager.stop();
      await server.close();
    }
    expect(manager.addresses).toEqual({});
  });

  it('responds while a stop waits for the current run, and stops after it', async () => {
    const server = await ApiServer.create({ controllers: false });
    const operator = await TestOperator.start({ transport: () => server.transport() } as never, [Slow], { health });
    const { manager } = operator;
    release.length = 0;
    await operator.client.create(ConfigMap, { metadata: { name: 'slow', namespace: 'default' } });
    await operator.until('the run', () => release.length === 1);
    const stopped = manager.stop();
    expect((await asked(manager, '/healthz')).status).toBe(200);
    expect((await asked(manager, '/readyz')).status).toBe(200);
    release[0]?.();
    expect(await stopped).toEqual({ drained: true });
    expect(manager.addresses).toEqual({});
    await server.close();
  });

  it('calls the checks of the program for each readiness probe, but not for liveness probes', async () => {
    const server = await ApiServer.create({ controllers: false });
    let problem: Error | undefined;
    let calls = 0;
    const licence = async (): Promise<void> => {
      calls++;
      if (problem !== undefined) throw problem;
    };
    const operator = await TestOperator.start({ transport: () => server.transport() } as never, [Slow], {
      health: { ...health, readiness: { licence } },
    });
    const { manager } = operator;
    expect(await asked(manager, '/readyz/licence')).toEqual({ status: 200, body: 'ok' });
    problem = new Error('it has run out');
    expect((await asked(manager, '/readyz?verbose')).body).toContain('[-]licence failed: it has run out\n');
    expect((await asked(manager, '/readyz?exclude=licence')).status).toBe(200);
    expect(calls).toBe(3);
    expect([(await asked(manager, '/healthz')).status, manager.health.ready, calls]).toEqual([200, true, 3]);
    await manager.stop();
    const refused = createManager({
      ...{ transport: server.transport(), controllers: [Slow] },
      health: { ...health, readiness: { manager: licence } },
    });
    await expect(refused).rejects.toMatchObject({ code: 'invalid-option' });
    await server.close();
  });

  it('fails the start with one line if its port is in use, and leaves nothing running', async () => {
    const server = await ApiServer.create({ controllers: false });
    const transport = server.transport();
    const first = await createManager({ transport, controllers: [Slow], health });
    await first.start();
    const address = String(first.addresses.health);
    const second = await createManager({ transport, controllers: [Slow], health: { address } });
    await expect(second.start()).rejects.toMatchObject({
      code: 'address-unavailable',
      message: expect.stringMatching(
        /^the health server cannot listen on 127\.0\.0\.1:\d+: .*--health-address, or 0 to disable it$/,
      ),
    });
    expect((await asked(first, '/healthz')).status).toBe(200);
    await first.stop();
    await server.close();
  });

  it.each(['nowhere', '127.0.0.1:99999', '8081'])('rejects the address %s before it starts', async (address) => {
    const transport: Transport = { request: () => Promise.reject(new Error('no')), close: async () => undefined };
    const create = createManager({ transport, controllers: [Slow], health: { address } });
    await expect(create).rejects.toMatchObject({
      code: 'invalid-address',
      message: expect.stringMatching(/^health\.address: invalid listen address ".*";/),
    });
  });

  it.each(['0', 'off'])('does not listen if the address is %s', async (address) => {
    const server = await ApiServer.create({ controllers: false });
    const none = { health: { address }, metrics: { address } };
    const manager = await createManager({ transport: server.transport(), controllers: [Slow], ...none });
    await manager.start();
    expect([manager.addresses, manager.metrics.families]).toEqual([{}, []]);
    await manager.stop();
    await server.close();
  });
});
