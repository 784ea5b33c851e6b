import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFolder } from './create-folder.ts';

describe('createFolder()', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'evenkeel-folder-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('creates missing parents, and resolves to the first one', async () => {
    expect(await createFolder(join(folder, 'a/b/c'))).toBe(join(folder, 'a'));
    expect(statSync(join(folder, 'a/b/c')).isDirectory()).toBe(true);
    expect(await createFolder(join(folder, 'a/b/d'))).toBe(join(folder, 'a/b/d'));
    expect(await createFolder(join(folder, 'a/b/d'))).toBeUndefined();
  });

  it('lets several calls create the same folders', async () => {
    const paths = ['a/b/c', 'a/b/d', 'a/b/c', 'a'].map((path) => join(folder, path));
    await Promise.all(paths.map(createFolder));
    expect(readdirSync(join(folder, 'a/b')).sort()).toEqual(['c', 'd']);
  });

  it('rejects a path through a file, and creates nothing', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(createFolder(join(folder, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(createFolder(join(folder, 'file/a/b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(readdirSync(folder)).toEqual(['file']);
  });

  // Node's own recursive mkdir never ends there.
  (existsSync('/proc/self') ? it : it.skip)('rejects where nothing can be created', async () => {
    await expect(createFolder('/proc/evenkeel/a')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
