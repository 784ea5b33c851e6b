import type { CoreEvent, Pod, PodDisruptionBudget } from '@evenkeel/kinds';
import { ControlledServer } from '../controlled-server.fixture.ts';

const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets';
const pods = '/api/v1/namespaces/default/pods';
const twoMinutesMs = 120_000;

describe('the disruption controller', () => {
  let server: ControlledServer;

  beforeEach(async () => {
    server = await ControlledServer.start();
    const labels = { app: 'web' };
    for (const name of ['a', 'b']) {
      await server.send('POST', pods, {
        metadata: { name, labels },
        spec: { containers: [{ name: 'a', image: 'a:1' }] },
      });
    }
    const spec = { minAvailable: 1, selector: { matchLabels: labels } };
    await server.send('POST', budgets, { metadata: { name: 'web' }, spec });
    await server.until(async () => (await budget()).disruptionsAllowed === 1);
  });
  afterEach(() => server.close());

  const budget = async (): Promise<NonNullable<PodDisruptionBudget['status']>> =>
    (await server.send('GET', `${budgets}/web`)).status;

  async function advance(ms: number): Promise<void> {
    await server.clock.advance(ms);
    await server.quiet();
  }

  it('counts an evicted pod again if it is not deleted within two minutes', async () => {
    const disruptedPods = { a: new Date(server.clock.now()).toISOString().replace('.000', '') };
    await server.send('PATCH', `${budgets}/web/status`, { status: { disruptionsAllowed: 0, disruptedPods } });
    await server.quiet();
    await advance(twoMinutesMs);
    expect(await budget()).toMatchObject({ currentHealthy: 1, disruptionsAllowed: 0, disruptedPods });
    await advance(1);
    expect(await budget()).toMatchObject({ currentHealthy: 2, disruptionsAllowed: 1 });
    expect((await budget()).disruptedPods).toBeUndefined();
    const events: CoreEvent[] = (await server.send('GET', '/api/v1/namespaces/default/events')).items;
    expect(
      events.filter(({ reason }) => reason === 'NotDeleted').map(({ involvedObject }) => involvedObject.name),
    ).toEqual(['a']);
  });

  it('takes back the mark of a pod that is not deleted within two minutes', async () => {
    const mark = async (): Promise<unknown> => {
      const { status }: Pod = await server.send('GET', `${pods}/a`);
      return status?.conditions?.find(({ type }) => type === 'DisruptionTarget')?.status;
    };
    const { status }: Pod = await server.send('GET', `${pods}/a`);
    const lastTransitionTime = new Date(server.clock.now()).toISOString();
    const target = { type: 'DisruptionTarget', status: 'True', lastTransitionTime };
    await server.send('PATCH', `${pods}/a/status`, { status: { conditions: [...(status?.conditions ?? []), target] } });
    await server.quiet();
    await advance(twoMinutesMs - 1);
    expect(await mark()).toBe('True');
    await advance(1);
    expect(await mark()).toBe('False');
  });

  it('lets one of two clients evict the last pod that may be disrupted', async () => {
    const evict = (name: string) =>
      server.answer('POST', `${pods}/${name}/eviction`, {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name },
      });
    const answers = await Promise.all([evict('a'), evict('b')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429]);
  });
});
