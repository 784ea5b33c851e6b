import { ApiServer } from '@evenkeel/apiserver';
import { createClient } from '@evenkeel/client';
import type { Transport } from '@evenkeel/core';
import { Deployment, Pod } from '@evenkeel/kinds';
import { podProblems } from './pod-problems.ts';

const { signal } = new AbortController();
const labels = { app: 'sites' };
const manager = { name: 'manager', image: 'sites:1', imageID: '', ready: false, restartCount: 2 };

let server: ApiServer;
beforeEach(async () => {
  server = await ApiServer.create({ controllers: false });
});
afterEach(async () => server.close());

/** A kubelet that answers requests for logs. */
function transport(log: string, paths: string[]): Transport {
  const inner = server.transport();
  return {
    ...inner,
    request: async (request) => {
      if (!request.path.includes('/log?')) return inner.request(request);
      paths.push(request.path);
      async function* body() {
        yield Buffer.from(log);
      }
      return { status: 200, headers: { 'content-type': 'text/plain' }, body: body() };
    },
  };
}

async function problems(status: object, log = 'one\ntwo\n'): Promise<{ lines: string[]; paths: string[] }> {
  const paths: string[] = [];
  const client = createClient(transport(log, paths), { fieldManager: 'test' });
  const spec = { containers: [{ name: 'manager', image: 'sites:1' }] };
  const metadata = { namespace: 'default', name: 'sites' };
  const deployment = await client.create(Deployment, {
    metadata,
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  const key = { namespace: 'default', name: 'sites-0' };
  await client.create(Pod, { metadata: { ...key, labels }, spec });
  await client.subresource(Pod, key, 'status').patch({ merge: { status } as never });
  return { lines: await podProblems(client, deployment, true, signal), paths };
}

describe('podProblems()', () => {
  it('shows the end of the log of the run that ended, with the exit code', async () => {
    const state = { waiting: { reason: 'CrashLoopBackOff' } };
    const lastState = { terminated: { exitCode: 1, reason: 'Error' } };
    const { lines, paths } = await problems({ containerStatuses: [{ ...manager, state, lastState }] });
    expect(lines).toEqual([
      'pod sites-0: container manager exited with code 1 (Error), and waits: CrashLoopBackOff after 2 restarts',
      '  the end of its log:',
      '  | one',
      '  | two',
    ]);
    expect(paths).toEqual([expect.stringContaining('previous=true')]);
  });

  it('shows the current log of a container that runs and is not ready', async () => {
    const { lines, paths } = await problems({ containerStatuses: [{ ...manager, state: { running: {} } }] });
    expect(lines[0]).toBe(
      'pod sites-0: container manager runs after 2 restarts, and is not ready: its readiness probe fails',
    );
    expect(paths).toEqual([expect.not.stringContaining('previous=true')]);
  });

  it('shows no pod that is ready', async () => {
    expect((await problems({ conditions: [{ type: 'Ready', status: 'True' }] })).lines).toEqual([]);
  });
});
