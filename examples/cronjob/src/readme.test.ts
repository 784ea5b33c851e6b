import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Environment, eventually } from '@evenkeel/testing';
import { type CustomResourceDefinition, createManager, SystemClock } from 'evenkeel';
import { parse } from 'yaml';
import { root } from '../../../test/imports.fixture.ts';
import { hasKubectl } from '../../../test/kubectl/kubectl-on-path.fixture.ts';
import { commandsIn, expectLines, isRepeated, lines } from '../../../test/shown-output.fixture.ts';
import { CronJob } from './cron-job.ts';
import { operator } from './operator.ts';

const folder = `${import.meta.dirname}/..`;
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** Is behind the machine's clock, because kubectl prints no ages of the future. */
class LateClock extends SystemClock {
  #behindMs = 120_000;

  override now(): number {
    return super.now() - this.#behindMs;
  }

  /** Moves to one second before the latest full minute, at which the sample starts a Job. */
  moveToMinute(): void {
    this.#behindMs = (super.now() % 60_000) + 1000;
  }
}

/** Returns the lines without the minute of a Job, and the random end of a pod's name. */
const shownLines = (text: string): string[] =>
  lines(
    text.replace(/\bhello-\d+(-[a-z0-9]{5}\b)?/g, (_, random) => (random ? 'hello-MINUTE-RANDOM' : 'hello-MINUTE')),
  );

const isShown = hasKubectl();
if (!isShown) process.stdout.write('skipped: the steps of the README: no kubectl on PATH\n');

(isShown ? describe : describe.skip)('the README', () => {
  let environment: Environment;
  beforeAll(async () => {
    const definition = parse(read('config/crd/batch.example.com_cronjobs.yaml')) as CustomResourceDefinition;
    const clock = new LateClock();
    environment = await Environment.create({ kind: 'embedded', definitions: [definition], clock });
    const manager = await environment.run(async (connection) => {
      const started = await createManager({ ...connection, ...operator });
      await started.start();
      return started;
    });
    await manager.waitUntilReady();
    clock.moveToMinute();
    await environment.client.create(CronJob, parse(read('config/samples/hello.yaml')));
  });
  afterAll(() => environment?.close());

  it('names the webhooks and the conversion in the output of evenkeel dev', () => {
    const { webhooks = [], conversions = [] } = operator;
    const names = [...webhooks, ...conversions].map(({ name }) => name).join(', ');
    expect(read('README.md')).toContain(`webhooks   used by the API server: ${names}\n`);
  });

  it('shows what really happens', async () => {
    const env = { ...process.env, KUBECONFIG: await environment.kubeconfig() };
    const run = async (command: string): Promise<string[]> => {
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `${command} 2>&1`], { cwd: root, env }).catch(
        (error: { stdout?: string }) => ({ stdout: error.stdout ?? String(error) }),
      );
      return shownLines(stdout);
    };
    const blocks = [...read('README.md').matchAll(/^```console\n(.*?)^```$/gms)].map(([, block = '']) => block);
    const commands = blocks.flatMap(commandsIn).filter(({ command }) => !command.startsWith('export '));
    expect(commands.length).toBeGreaterThan(10);
    for (const { command, output } of commands) {
      const check = async () => expectLines(command, await run(command), shownLines(output));
      await (isRepeated(command) ? eventually(check, { timeout: '90s' }) : check());
    }
  });
});
