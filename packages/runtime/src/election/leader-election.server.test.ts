import { loadConnection } from '@evenkeel/client';
import { type Duration, EvenkeelError } from '@evenkeel/core';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { createManager, type Manager } from '../manager/manager.ts';

describeWithRealServer('leaders while a real server is unreachable', () => {
  let server: RealServer;
  const managers: Manager[] = [];

  beforeAll(async () => {
    server = await startRealServer();
  });

  afterEach(async () => {
    for (const manager of managers.splice(0)) await manager.stop();
  });

  afterAll(() => server?.stop());

  async function lead(name: string, leaseDuration: Duration, renewDeadline: Duration): Promise<Manager> {
    const manager = await createManager({
      connection: await loadConnection({ kubeconfig: server.kubeconfig }),
      controllers: [],
      leaderElection: { name, namespace: 'default', leaseDuration, renewDeadline, retryPeriod: '200ms' },
    });
    managers.push(manager);
    await manager.start();
    await manager.waitUntilReady(AbortSignal.timeout(90_000));
    return manager;
  }

  it('lose the Lease only if the outage is longer than the renew deadline', async () => {
    const patient = await lead('patient', '100s', '90s');
    const hasty = await lead('hasty', '5s', '4s');
    const holder = patient.health.leadership?.holder;
    const startedMs = performance.now();
    await server.restart(async () => {
      const error = await hasty.failure;
      expect(error).toBeInstanceOf(EvenkeelError);
      expect((error as EvenkeelError).code).toBe('leadership-lost');
      // The deadline counts from the last renewal, which was one retry period before, or more on a busy machine.
      expect(performance.now() - startedMs).toBeGreaterThan(2000);
      expect(patient.health).toMatchObject({ ready: true, leadership: { role: 'leader' } });
    });
    while (patient.health.leadership?.problem !== undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    const { body } = await server.send('GET', '/apis/coordination.k8s.io/v1/namespaces/default/leases/patient');
    expect(body.spec).toMatchObject({ holderIdentity: holder, leaseTransitions: 0 });
    expect(patient.health.leadership).toMatchObject({ role: 'leader', problem: undefined });
    expect(hasty.health).toMatchObject({ ready: false, leadership: { role: 'lost' } });
  });
});
