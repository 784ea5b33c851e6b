import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiServer } from '@evenkeel/apiserver';
import { type RealServer, startRealServer } from '../real-server.fixture.ts';
import { type ControllerStep, withControllers } from './controller-commands.fixture.ts';
import { normaliseObjects, repairRemarks } from './normalise.fixture.ts';
import { describeSession, KubectlSession } from './session.fixture.ts';

/** How long the two servers may take to settle in the same state. */
const restWithinMs = 90_000;

interface ObjectList {
  readonly items: readonly Record<string, unknown>[];
}

interface EventList {
  readonly items: readonly { readonly reason?: string; readonly involvedObject: { readonly kind?: string } }[];
}

async function objectsOf(session: KubectlSession, kind: string): Promise<string[]> {
  const scope = kind === 'namespaces' ? kind : `${kind} -n demo`;
  return normaliseObjects(((await session.getJson(scope)) as ObjectList).items);
}

async function reasonsOf(session: KubectlSession): Promise<string[]> {
  const { items } = (await session.getJson('events -n demo')) as EventList;
  const relevant = items.filter(({ reason = '' }) => !repairRemarks.includes(reason));
  return [...new Set(relevant.map(({ involvedObject, reason }) => `${involvedObject.kind} ${reason}`))].sort();
}

/** Queries both servers until they agree or the time is up; returns the last results. */
async function atRest<T>(
  ask: (session: KubectlSession) => Promise<T>,
  sessions: readonly KubectlSession[],
): Promise<T[]> {
  const deadline = Date.now() + restWithinMs;
  for (;;) {
    const answers = await Promise.all(sessions.map(ask));
    const texts = answers.map((answer) => JSON.stringify(answer));
    if (new Set(texts).size === 1 || Date.now() > deadline) return answers;
    await delay(100);
  }
}

describeSession('a kubectl session with controllers', () => {
  let directory: string;
  let embedded: ApiServer;
  let real: RealServer;
  let sessions: KubectlSession[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'evenkeel-session-'));
    // A real control plane without a cloud has no component that gives a Service an external address, or a claim its
    // volume.
    embedded = await ApiServer.create({
      controllers: { 'service-lb-controller': false, 'persistentvolume-provisioner': false },
      serviceCidr: '10.0.0.0/24',
    });
    await embedded.listen();
    const embeddedConfig = join(directory, 'embedded');
    await embedded.writeKubeconfig(embeddedConfig);
    real = await startRealServer('nodes');
    // An earlier pod would get an event that no node is ready.
    await real.sendUntil(({ body }) => body.spec?.taints === undefined, 'GET', '/api/v1/nodes/node-0');
    const realConfig = join(directory, 'real');
    await writeFile(realConfig, await readFile(real.kubeconfig, 'utf8'));
    sessions = [new KubectlSession(realConfig), new KubectlSession(embeddedConfig)];
  });

  afterAll(async () => {
    for (const session of sessions ?? []) session.close();
    await embedded?.close();
    await real?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it.each(withControllers.map((step, index) => [index, step.run, step] as const))(
    '%i: kubectl %s',
    async (_index, _run, step: ControllerStep) => {
      const results = await Promise.all(sessions.map((session) => session.step(step)));
      const [byReal, byEmbedded] = results.map(({ exitCode, stderr }) => ({
        exitCode,
        why: exitCode === 0 ? '' : stderr,
      }));
      expect(byEmbedded).toEqual(byReal);
      for (const kind of step.compare ?? []) {
        const [realObjects, embeddedObjects] = await atRest((session) => objectsOf(session, kind), sessions);
        expect(embeddedObjects).toEqual(realObjects);
      }
      if (step.compareReasons === true) {
        const [realReasons, embeddedReasons] = await atRest(reasonsOf, sessions);
        expect(embeddedReasons).toEqual(realReasons);
      }
    },
  );
});
