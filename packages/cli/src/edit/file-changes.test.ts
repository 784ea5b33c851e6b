import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileChanges } from './file-changes.ts';

let folder: string;
let changes: FileChanges;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'evenkeel-changes-'));
  changes = new FileChanges();
  mkdirSync(join(folder, 'old'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
});
afterEach(() => rmSync(folder, { recursive: true }));

const files = { 'a.ts': 'a\n', 'b.ts': 'one\r\n\ttwo\r\nthree', 'old/c.ts': 'c\n' };

const at = (name: string): string => join(folder, name);

function contents(): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(names.sort().map((name) => [name.slice(folder.length + 1), readFileSync(name, 'utf8')]));
}

function planAll(): void {
  changes.set(at('a.ts'), 'A\n');
  changes.set(at('new/d.ts'), 'd\n');
  changes.set(at('b.ts'), 'one\r\n\tTWO\r\nthree');
  changes.set(at('old/c.ts'), undefined);
}

describe('FileChanges', () => {
  it('writes nothing before write()', async () => {
    planAll();
    expect(contents()).toEqual(files);
    expect([changes.read(at('a.ts')), changes.read(at('old/c.ts'))]).toEqual(['A\n', undefined]);
    await changes.write(folder);
    expect(contents()).toEqual({ 'a.ts': 'A\n', 'b.ts': 'one\r\n\tTWO\r\nthree', 'new/d.ts': 'd\n' });
    expect(readdirSync(folder).sort()).toEqual(['a.ts', 'b.ts', 'new']);
  });

  it.each<[string, () => void, RegExp]>([
    ['a new file exists meanwhile', () => writeFileSync(at('z.ts'), 'theirs'), /z\.ts: cannot write it/],
    [
      'a file was changed meanwhile',
      () => writeFileSync(at('y.ts'), 'theirs'),
      /y\.ts: was changed meanwhile; run the/,
    ],
    ['a file was removed meanwhile', () => rmSync(at('y.ts')), /y\.ts: cannot write it/],
  ])('undoes all if %s', async (_name, interfere, message) => {
    writeFileSync(at('y.ts'), 'y');
    planAll();
    changes.set(at('y.ts'), 'Y');
    changes.set(at('z.ts'), 'z');
    interfere();
    const before = contents();
    await expect(changes.write(folder)).rejects.toThrow(
      expect.objectContaining({ code: 'output-not-written', message: expect.stringMatching(message) }),
    );
    expect(contents()).toEqual(before);
    expect(readdirSync(folder)).not.toContain('new');
  });

  it('keeps the mode of a file, and changes the target of a link', async () => {
    chmodSync(at('a.ts'), 0o754);
    symlinkSync(at('b.ts'), at('link.ts'));
    changes.set(at('a.ts'), 'A\n');
    changes.set(at('link.ts'), 'linked');
    await changes.write(folder);
    expect(statSync(at('a.ts')).mode & 0o777).toBe(0o754);
    expect(lstatSync(at('link.ts')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('b.ts'), 'utf8')).toBe('linked');
  });

  it('prints a diff that git applies', async () => {
    planAll();
    const diff = changes.diff(folder);
    expect(diff).toContain('--- /dev/null\n+++ b/new/d.ts\n@@ -0,0 +1,1 @@\n+d\n');
    expect(diff).toContain('--- a/old/c.ts\n+++ /dev/null\n');
    expect(diff).toContain(' three\n\\ No newline at end of file\n');
    execFileSync('git', ['apply', '-'], { cwd: folder, input: diff });
    const applied = contents();
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(at('old'), { recursive: true });
      writeFileSync(at(name), text);
    }
    rmSync(at('new'), { recursive: true });
    await changes.write(folder);
    expect(applied).toEqual(contents());
  });

  it('lists no file whose text stays the same', () => {
    changes.set(at('a.ts'), 'b');
    changes.set(at('a.ts'), 'a\n');
    expect(changes.changes()).toEqual([]);
  });
});
