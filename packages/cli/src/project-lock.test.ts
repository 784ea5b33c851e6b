import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@evenkeel/core';
import { eventually } from '@evenkeel/testing';
import { Project } from './project.fixture.ts';
import { withProjectLock } from './project-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const printed: string[] = [];
afterEach(() => {
  printed.length = 0;
});

function locked<T>(work: () => Promise<T>, clock = new ManualClock()): Promise<T> {
  const terminal = { err: (text: string) => printed.push(text) };
  return withProjectLock({ folder, command: 'generate', terminal, clock }, work);
}

/** A lock of another process. */
async function lockBy(pid: number, host = hostname()): Promise<void> {
  await locked(async () => undefined);
  await writeFile(join(folder, '.evenkeel/lock'), JSON.stringify({ command: 'build', pid, host }));
}

describe('withProjectLock', () => {
  it('lets one command after the other write, and leaves nothing', async () => {
    const clock = new ManualClock();
    const events: string[] = [];
    const first = Promise.withResolvers<void>();
    const writes = async (name: string, until: Promise<void>): Promise<void> => {
      events.push(`${name} starts`);
      await until;
      events.push(`${name} ends`);
    };
    const both = [locked(() => writes('a', first.promise))];
    await eventually(() => expect(events).toEqual(['a starts']));
    both.push(locked(() => writes('b', Promise.resolve()), clock));
    await eventually(() =>
      expect(printed).toEqual([expect.stringMatching(/^waiting for evenkeel generate \(process/)]),
    );
    expect(events).toEqual(['a starts']);
    first.resolve();
    await both[0];
    await eventually(async () => {
      await clock.advance(100);
      expect(events).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
    });
    await Promise.all(both);
    expect(await readdir(join(folder, '.evenkeel'))).toEqual([]);
  });

  it.each(['not JSON', '{}', '{"command":"build","pid":-1,"host":"a"}', '__proto__'])(
    'replaces the lock %j, which no command has written',
    async (text) => {
      await lockBy(1);
      await writeFile(join(folder, '.evenkeel/lock'), text);
      expect(await locked(async () => 'done')).toBe('done');
    },
  );

  it('takes over the lock of a command that was killed', async () => {
    const project = await Project.create({});
    const { child, exited } = project.session('completion', 'bash');
    await exited;
    await project.remove();
    await lockBy(child.pid ?? 0);
    expect(await locked(async () => 'done')).toBe('done');
    expect(printed).toEqual([]);
    expect(existsSync(join(folder, '.evenkeel/lock'))).toBe(false);
  });

  it('reports a command that does not finish, and keeps its lock', async () => {
    const clock = new ManualClock();
    await lockBy(1, 'another-machine');
    const before = await readFile(join(folder, '.evenkeel/lock'), 'utf8');
    let isDone = false;
    const result = locked(async () => 'written', clock).catch((error: unknown) => error);
    void result.finally(() => {
      isDone = true;
    });
    await eventually(async () => {
      await clock.advance(10_000);
      expect(isDone).toBe(true);
    });
    expect(await result).toMatchObject({
      code: 'project-locked',
      message: expect.stringMatching(/^generate: evenkeel build \(process 1 on another-machine\) is writing files/),
    });
    expect(await readFile(join(folder, '.evenkeel/lock'), 'utf8')).toBe(before);
    expect(await readdir(join(folder, '.evenkeel'))).toEqual(['lock']);
  });
});
