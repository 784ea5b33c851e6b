import type { Pod } from '@evenkeel/kinds';
import { ControlledServer } from './controlled-server.fixture.ts';

const pods = '/api/v1/namespaces/default/pods';
const prefix = 'pods.evenkeel.dev/';

describe('simulated pods', () => {
  let server: ControlledServer;
  beforeAll(async () => {
    server = await ControlledServer.start();
  });
  afterAll(() => server.close());

  const annotationsOf = (simulation: Readonly<Record<string, string>>): object =>
    Object.fromEntries(Object.entries(simulation).map(([name, value]) => [`${prefix}${name}`, value]));

  async function create(name: string, simulation: Readonly<Record<string, string>>, spec: object = {}): Promise<void> {
    await server.send('POST', pods, {
      metadata: { name, annotations: annotationsOf(simulation) },
      spec: { containers: [{ name: 'main', image: 'a:1' }], ...spec },
    });
    await server.quiet();
  }

  async function after(seconds: number): Promise<void> {
    await server.clock.advance(seconds * 1000);
    await server.quiet();
  }

  async function stateOf(name: string): Promise<unknown> {
    const { status } = (await server.send('GET', `${pods}/${name}`)) as Pod;
    const [container] = status?.containerStatuses ?? [];
    const [state = 'none'] = Object.keys(container?.state ?? {});
    const { reason, exitCode } = { ...container?.state?.waiting, ...container?.state?.terminated } as {
      reason?: string;
      exitCode?: number;
    };
    const isReady = status?.conditions?.find(({ type }) => type === 'Ready')?.status;
    const detail = [reason, exitCode].filter((part) => part !== undefined).join(' ');
    return [status?.phase, state, detail, `ready ${isReady}`, `restarts ${container?.restartCount ?? 0}`].join(', ');
  }

  it('start and become ready after the given times', async () => {
    await create('slow', { 'start-after': '5s', 'ready-after': '10s' });
    const seen = [await stateOf('slow')];
    for (const seconds of [4, 1, 9, 1]) {
      await after(seconds);
      seen.push(await stateOf('slow'));
    }
    expect(seen).toEqual([
      'Pending, waiting, ContainerCreating, ready False, restarts 0',
      'Pending, waiting, ContainerCreating, ready False, restarts 0',
      'Running, running, , ready False, restarts 0',
      'Running, running, , ready False, restarts 0',
      'Running, running, , ready True, restarts 0',
    ]);
  });

  it('never become ready', async () => {
    await create('unready', { 'ready-after': 'never' });
    await after(3600);
    expect(await stateOf('unready')).toBe('Running, running, , ready False, restarts 0');
  });

  it('restart with the back-off of a kubelet, and then run on', async () => {
    await create('unstable', { 'exit-after': '1s', 'exit-code': '3', restarts: '3' });
    const seen = [];
    for (const seconds of [1, 1, 10, 1, 20, 3600]) {
      await after(seconds);
      seen.push(await stateOf('unstable'));
    }
    expect(seen).toEqual([
      'Running, running, , ready True, restarts 1',
      'Running, waiting, CrashLoopBackOff, ready False, restarts 1',
      'Running, running, , ready True, restarts 2',
      'Running, waiting, CrashLoopBackOff, ready False, restarts 2',
      'Running, running, , ready True, restarts 3',
      'Running, running, , ready True, restarts 3',
    ]);
    const { status } = (await server.send('GET', `${pods}/unstable`)) as Pod;
    expect(status?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
  });

  it.each([
    ['fails', '1', 'Never', 'Failed, terminated, Error 1, ready False, restarts 0'],
    ['ends', '0', 'OnFailure', 'Succeeded, terminated, Completed 0, ready False, restarts 0'],
  ])('end with an exit code: one that %s', async (name, code, restartPolicy, expected) => {
    await create(name, { 'exit-after': '30s', 'exit-code': code }, { restartPolicy });
    expect(await stateOf(name)).toBe('Running, running, , ready True, restarts 0');
    await after(30);
    expect(await stateOf(name)).toBe(expected);
  });

  it('let a Job fail, or take time', async () => {
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const create = (name: string, simulation: Readonly<Record<string, string>>): Promise<unknown> =>
      server.send('POST', jobs, {
        metadata: { name },
        spec: {
          backoffLimit: 0,
          template: {
            metadata: { annotations: annotationsOf(simulation) },
            spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'a:1' }] },
          },
        },
      });
    await create('broken', { 'exit-code': '7' });
    await create('long', { 'exit-after': '10m' });
    await server.quiet();
    await after(1);
    const statusOf = async (name: string) => (await server.send('GET', `${jobs}/${name}`)).status;
    expect((await statusOf('broken')).failed).toBe(1);
    expect((await statusOf('long')).active).toBe(1);
    await after(600);
    expect((await statusOf('long')).succeeded).toBe(1);
  });

  it('have the log of the annotation once they have started', async () => {
    await create('talking', { 'start-after': '1s', log: 'one\ntwo' });
    const log = async (query = '') => (await server.answer('GET', `${pods}/talking/log${query}`)).body;
    expect((await log()).message).toBe('container "main" in pod "talking" is waiting to start: ContainerCreating');
    await after(1);
    expect([await log(), await log('?tailLines=1')]).toEqual(['one\ntwo\n', 'two\n']);
  });

  it('report invalid annotations in an Event, and do not start', async () => {
    await create('wrong', { 'start-after': 'soon', 'exit-code': '256', 'ready-afer': '1s' });
    await after(60);
    expect(((await server.send('GET', `${pods}/wrong`)) as Pod).status?.phase).toBe('Pending');
    const events = (await server.send('GET', '/api/v1/namespaces/default/events')).items as {
      reason: string;
      message: string;
    }[];
    const found = events.filter(({ reason }) => reason === 'InvalidSimulation').map(({ message }) => message);
    expect(found).toEqual([
      [
        'pods.evenkeel.dev/ready-afer: unknown annotation; use one of start-after, ready-after, exit-after, exit-code, restarts, log',
        'pods.evenkeel.dev/start-after: invalid value "soon"; use a duration such as 5s',
        'pods.evenkeel.dev/exit-code: invalid value "256"; use a number from 0 to 255',
      ].join('; '),
    ]);
  });
});
