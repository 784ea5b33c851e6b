import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ManualClock } from '@evenkeel/core';
import { WatchedFiles } from './watched-files.ts';

describe('WatchedFiles', () => {
  let folder: string;
  let clock: ManualClock;
  let files: WatchedFiles;
  const changes: (readonly string[])[] = [];
  const events = new Map<string, () => void>();

  /** Writes a file, and reports the event of its folder. */
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
    events.get(dirname(join(folder, name)))?.();
  };
  const follow = (names: readonly string[], isOpen = false): void =>
    files.follow({ files: names.map((name) => join(folder, name)), isOpen });
  const changed = (): string[][] =>
    changes.splice(0).map((paths) => paths.map((path) => path.slice(folder.length + 1)));

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'evenkeel-watched-')));
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/a.ts'), 'a');
    writeFileSync(join(folder, 'src/b.ts'), 'b');
    writeFileSync(join(folder, 'config.ts'), 'config');
    clock = new ManualClock();
    files = new WatchedFiles({
      clock,
      onChange: (paths) => changes.push(paths),
      watchFolder: (watched, onEvent) => {
        events.set(watched, onEvent);
        return { close: () => events.delete(watched) };
      },
    });
    follow(['config.ts', 'src/a.ts', 'src/b.ts']);
  });

  afterEach(() => {
    files.close();
    expect(events.size).toBe(0);
    changes.splice(0);
    rmSync(folder, { recursive: true });
  });

  it('reports files that change soon after each other as one change, when nothing happens any more', async () => {
    write('src/a.ts', 'a2');
    await clock.advance(10);
    write('src/b.ts', 'b2');
    await clock.advance(10);
    expect(changed()).toEqual([]);
    await clock.advance(10);
    expect(changed()).toEqual([['src/a.ts', 'src/b.ts']]);
    await clock.advance(10_000);
    expect(changed()).toEqual([]);
  });

  it('ignores a file that has the same content again, and a file that is not followed', async () => {
    write('src/a.ts', 'a');
    write('src/other.ts', 'new');
    await clock.advance(1000);
    expect(changed()).toEqual([]);
  });

  it('reports a change once, although it is replaced by a rename', async () => {
    write('src/a.ts~', 'a2');
    renameSync(join(folder, 'src/a.ts~'), join(folder, 'src/a.ts'));
    events.get(join(folder, 'src'))?.();
    await clock.advance(1000);
    expect(changed()).toEqual([['src/a.ts']]);
  });

  it('waits for a file that an editor deletes before it writes it', async () => {
    rmSync(join(folder, 'src/a.ts'));
    events.get(join(folder, 'src'))?.();
    await clock.advance(100);
    write('src/a.ts', 'a2');
    await clock.advance(1000);
    expect(changed()).toEqual([['src/a.ts']]);
    rmSync(join(folder, 'src/a.ts'));
    events.get(join(folder, 'src'))?.();
    await clock.advance(100);
    expect(changed()).toEqual([]);
    await clock.advance(100);
    expect(changed()).toEqual([['src/a.ts']]);
  });

  it('waits for a file that an editor truncates before it writes it', async () => {
    write('src/a.ts', '');
    await clock.advance(100);
    write('src/a.ts', 'a');
    await clock.advance(1000);
    expect(changed()).toEqual([]);
  });

  it('reports at the latest after half a second if events never pause', async () => {
    write('src/a.ts', 'a2');
    for (let ms = 0; ms < 600; ms += 10) {
      await clock.advance(10);
      events.get(join(folder, 'src'))?.();
    }
    expect(changed()).toEqual([['src/a.ts']]);
  });

  it('finds a folder again that was deleted and created, as by a change of the branch', async () => {
    rmSync(join(folder, 'src'), { recursive: true });
    events.get(join(folder, 'src'))?.();
    await clock.advance(1000);
    expect(changed()).toEqual([['src/a.ts', 'src/b.ts']]);
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src/a.ts'), 'a3');
    events.get(folder)?.();
    await clock.advance(1000);
    expect(changed()).toEqual([['src/a.ts']]);
    write('src/b.ts', 'b3');
    await clock.advance(1000);
    expect(changed()).toEqual([['src/b.ts']]);
  });

  it('reports new and deleted modules in the same folders only if they may belong to the project', async () => {
    follow(['src/a.ts'], true);
    write('src/new.ts', 'new');
    write('src/new.test.ts', 'a test');
    write('src/notes.txt', 'notes');
    await clock.advance(1000);
    expect(changed()).toEqual([['src/new.ts']]);
    follow(['src/a.ts'], false);
    write('src/newer.ts', 'newer');
    await clock.advance(1000);
    expect(changed()).toEqual([]);
  });

  it('notices a change between two calls of follow', async () => {
    writeFileSync(join(folder, 'src/a.ts'), 'a4');
    follow(['src/a.ts', 'src/b.ts']);
    events.get(join(folder, 'src'))?.();
    await clock.advance(1000);
    expect(changed()).toEqual([['src/a.ts']]);
  });
});
