import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { type RealServer, startRealServer } from '../real-server.fixture.ts';
import { changeCommands } from './change-commands.fixture.ts';
import { clusterCommands } from './cluster-commands.fixture.ts';
import { withoutControllers } from './commands.fixture.ts';
import { creationCommands } from './creation-commands.fixture.ts';
import { normalise } from './normalise.fixture.ts';
import { describeSession, type KubectlResult, KubectlSession, type KubectlStep } from './session.fixture.ts';

const commands = [...withoutControllers, ...creationCommands, ...changeCommands, ...clusterCommands];

/** Returns the output that a user sees, as one string for each command, so that differences are readable. */
function transcript(result: KubectlResult): string {
  const { command, stdout, stderr, exitCode } = normalise(result);
  return `$ kubectl ${command}\n${stdout}${stderr}[exit ${exitCode}]`;
}

async function play(kubeconfig: string, steps: readonly KubectlStep[]): Promise<string[]> {
  const session = new KubectlSession(kubeconfig);
  const shown: string[] = [];
  try {
    for (const step of steps) shown.push(transcript(await session.step(step)));
  } finally {
    session.close();
  }
  return shown;
}

describeSession('a kubectl session without controllers', () => {
  let directory: string;
  let embedded: ApiServer;
  let real: RealServer;
  let shownByReal: string[];
  let shownByEmbedded: string[];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'evenkeel-session-'));
    embedded = await ApiServer.create({ controllers: false, serviceCidr: '10.0.0.0/24' });
    await embedded.listen();
    // kubectl writes the current namespace into its kubeconfig, and the contexts must have the same name.
    const embeddedConfig = join(directory, 'embedded');
    await embedded.writeKubeconfig(embeddedConfig);
    real = await startRealServer();
    const realConfig = join(directory, 'real');
    const contextName = /^current-context: "?([^\s"]+)/m.exec(await readFile(embeddedConfig, 'utf8'))?.[1] ?? '';
    const realText = await readFile(real.kubeconfig, 'utf8');
    await writeFile(realConfig, realText.replaceAll(/\breal\b(?=[,},\n]|$)/g, contextName));
    [shownByReal, shownByEmbedded] = await Promise.all([play(realConfig, commands), play(embeddedConfig, commands)]);
  });

  afterAll(async () => {
    await embedded?.close();
    await real?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it.each(commands.map((step, index) => [index, step.run] as const))('%i: kubectl %s', (index) => {
    expect(shownByEmbedded[index]).toBe(shownByReal[index]);
  });
});
