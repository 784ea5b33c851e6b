import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigMap } from '@evenkeel/kinds';
import { eventually } from '@evenkeel/testing';
import { Project } from '../../project.fixture.ts';
import type { SessionProcess } from '../session-process.fixture.ts';
import { clientOf, controller, files, greeting, resource, sample } from './greeting-project.fixture.ts';

async function ready(session: SessionProcess): Promise<void> {
  await session.prints(/ready +default\/world {2}one/);
  await session.prints(/It runs until Ctrl-C, and loads your code again/);
}

function isAlive(pid: number): boolean {
  try {
    // A process that has exited may wait for its parent.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('evenkeel dev with reload', () => {
  let project: Project;
  let session: SessionProcess;

  beforeEach(async () => {
    project = await Project.create(files);
    session = project.session('dev');
    await ready(session);
  });

  afterEach(async () => {
    session.kill();
    await session.exited;
    await project.remove();
  });

  it('runs changed code on the same server, with its objects', async () => {
    const client = await clientOf(project);
    await client.create(ConfigMap, { metadata: { name: 'mine', namespace: 'default' } });
    await project.write({ 'src/word.ts': "export const word = 'two';\n" });
    const printed = await session.prints(/reload +src\/word\.ts changed; the new code runs {2}\d+ ms/);
    expect(printed).not.toMatch(/crd|sample/);
    await session.prints(/reconcile +default\/world: Greeting added -> wrote status \(conditions\)/);
    const { status } = (await client.get(resource, { name: 'world', namespace: 'default' })) as unknown as {
      status: { conditions: { message: string }[] };
    };
    expect(status.conditions[0]?.message).toBe('two');
    await client.get(ConfigMap, { name: 'mine', namespace: 'default' });
    // An editor may write another file and rename it.
    await project.write({ 'src/word.ts~': "export const word = 'three';\n" });
    await rename(join(project.folder, 'src/word.ts~'), join(project.folder, 'src/word.ts'));
    await session.prints(/reload +src\/word\.ts changed; the new code runs/);
    expect(await session.interrupt()).toBe('SIGINT');
    expect(session.output).toMatch(/stopped +nothing is left running\n$/);
  });

  it('does nothing for a file that is saved without a change, or that the project does not import', async () => {
    await project.write({ 'src/word.ts': files['src/word.ts'], 'src/other.ts': 'export const other = 1;\n' });
    await project.write({ 'src/controller.ts': controller('// changed') });
    const printed = await session.prints(/reload .*/);
    expect(printed).toContain('src/controller.ts changed; the new code runs');
  });

  it('prints mistakes once, and keeps the running code until they are fixed', async () => {
    await project.write({ 'src/controller.ts': controller('const = 1;') });
    const printed = await session.prints(/the new code has mistakes; the old code keeps running/);
    expect(printed).toMatch(/error: src\/controller\.ts:\d+: .*\[module-not-loaded\]/);
    await project.write({ 'src/controller.ts': controller('const = 1; ') });
    expect(await session.prints(/the new code has mistakes; the old code keeps running/)).not.toContain('error: ');
    const client = await clientOf(project);
    await client.patch(resource, { name: 'world', namespace: 'default' }, { merge: { spec: { name: 'Old' } } });
    await session.prints(/reconcile +default\/world: Greeting updated/);
    await project.write({ 'src/controller.ts': controller("context.logger.info('fixed')") });
    await session.prints(/info +default\/world: fixed/);
  });

  it('reports a module that ends the process, and a missing one that then appears', async () => {
    await project.write({ 'src/word.ts': "process.exit(7);\nexport const word = 'never';\n" });
    await session.prints(/error +loading src\/operator\.ts ended the process \(exit code 7\).*\[module-not-loaded\]/);
    await session.prints(/reload +the old code keeps running/);
    await project.write({ 'src/word.ts': "export { word } from './other.ts';\n" });
    await session.prints(/the new code has mistakes; the old code keeps running/);
    await project.write({ 'src/other.ts': "export const word = 'other';\n" });
    await session.prints(/reload +src\/other\.ts changed; the new code runs/);
  });

  it('applies a changed CRD before the new code, and a sample that only the new CRD accepts', async () => {
    await project.write({ 'sample.yaml': sample.replace('name: World', 'name: World, tone: warm') });
    await session.prints(
      /error +\S+sample\.yaml, document 1: .*tone: field not declared in schema.*\[invalid-sample\]/,
    );
    await project.write({ 'src/greeting.ts': greeting.replace('name!: string;', 'name!: string; tone?: string;') });
    const printed = await session.prints(/sample +applied Greeting default\/world/);
    expect(printed).toMatch(
      /crd +generated and changed greetings\.hello\.example\.com[\s\S]*reload +src\/greeting\.ts/,
    );
  });

  it('reports a duplicate sample, and one that the API server rejects after the new code has started', async () => {
    await project.write({ 'sample.yaml': `${sample}---\n${sample}` });
    await session.prints(
      /sample\.yaml, document 2: Greeting default\/world is also in \S+sample\.yaml, document 1; give one of them another name/,
    );
    await project.write({ 'sample.yaml': sample.replace('name: World', 'name: World, nam: x') });
    await session.prints(/nam: field not declared in schema/);
    await project.write({ 'src/word.ts': "export const word = 'new';\n" });
    const printed = await session.prints(/nam: field not declared in schema/);
    expect(printed).toContain('the new code runs');
    await project.write({ 'sample.yaml': sample.replace('name: World', 'name: Venus') });
    expect(await session.prints(/sample +applied Greeting default\/world/)).not.toContain('the old code keeps running');
  });

  it('reports why the API server rejects a CRD, and keeps the running code', async () => {
    const clustered = greeting.replace("version: 'v1' }", "version: 'v1', scope: 'Cluster' }");
    await project.write({ 'src/greeting.ts': clustered });
    await session.prints(/error +.*spec\.scope: Invalid value: "Cluster": field is immutable/);
    await session.prints(/reload +the old code keeps running/);
    const client = await clientOf(project);
    await client.patch(resource, { name: 'world', namespace: 'default' }, { merge: { spec: { name: 'Old' } } });
    await session.prints(/reconcile +default\/world: Greeting updated/);
  });

  it('applies a changed sample without loading the code again', async () => {
    await project.write({ 'sample.yaml': sample.replace('name: World', 'name: Moon') });
    const printed = await session.prints(/reconcile +default\/world: Greeting updated/);
    expect(printed).toMatch(/sample +applied Greeting default\/world/);
    expect(printed).not.toContain('reload');
  });

  it('reports an operator that ends, and starts it again after a change', async () => {
    await project.write({ 'src/controller.ts': controller('if (word) process.exit(3);') });
    await session.prints(/error +the process of the operator exited \(exit code 3\);.*\[operator-exited\]/);
    await session.prints(/reload +the operator has stopped; it starts again after the next change/);
    const stray = "setTimeout(() => { throw new Error('nobody catches'); }, 1);";
    await project.write({ 'src/controller.ts': controller(stray) });
    await session.prints(/error +controller greeting, default\/world: uncaught exception.*nobody catches/);
    await session.prints(/reload +the operator has stopped; it starts again after the next change/);
    await project.write({ 'src/controller.ts': controller('') });
    await session.prints(/the new code runs/);
    const [, pid] = /pid=(\d+)/.exec(await session.prints(/info +default\/world: code {2}pid=\d+\n/)) ?? [];
    process.kill(Number(pid), 'SIGKILL');
    await session.prints(/error +the process of the operator exited \(SIGKILL\)/);
    expect(await session.interrupt()).toBe('SIGINT');
  });

  it('ends an operator in an endless loop if it is killed', async () => {
    const loop =
      "const { writeFileSync } = await import('node:fs'); writeFileSync('pid', String(process.pid)); for (;;);";
    await project.write({ 'src/controller.ts': controller(loop) });
    const pid = await eventually(async () => {
      const text = await project.read('pid');
      expect(text).toMatch(/^\d+$/);
      return Number(text);
    });
    expect(isAlive(pid)).toBe(true);
    session.kill();
    await eventually(() => expect(isAlive(pid)).toBe(false));
  });

  it('ends its processes if it is killed', async () => {
    const [, pid] = /pid=(\d+)/.exec(session.output) ?? [];
    expect(isAlive(Number(pid))).toBe(true);
    session.kill();
    await eventually(() => expect(isAlive(Number(pid))).toBe(false));
  });
});
