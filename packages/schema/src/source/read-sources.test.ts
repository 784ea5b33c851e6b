import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Cache } from '../generate/cache.fixture.ts';
import { readSources } from './read-sources.ts';

const url = new URL('../generate/cache.fixture.ts', import.meta.url).href;

describe('readSources()', () => {
  it('finds the classes that the program runs, by a path from the working folder and by a URL', async () => {
    const path = fileURLToPath(url);
    for (const file of [url, path, relative(process.cwd(), path)]) {
      const sources = await readSources(file);
      expect(sources.findings).toEqual([]);
      expect(sources.sourceOf(Cache)).toMatchObject({ name: 'Cache', file: path });
    }
  });

  it('reads the same modules once, in whatever order they are named', async () => {
    const other = new URL('../generate/backup.fixture.ts', import.meta.url).href;
    const both = await readSources([url, other]);
    expect(await readSources([other, url, url])).toBe(both);
    const one = await readSources(url);
    expect(one).not.toBe(both);
    expect(one.sourceOf(Cache)).toBe(both.sourceOf(Cache));
  });

  it('says where it looked for a file that is not there', async () => {
    await expect(readSources('src/missing.ts')).rejects.toThrow(
      `readSources: there is no file ${join(process.cwd(), 'src/missing.ts')}; paths count from the working folder`,
    );
  });

  it('says what to give where a module cannot be imported, and tries again the next time', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'evenkeel-sources-'));
    try {
      const file = join(folder, 'broken.mts');
      await writeFile(file, "throw new Error('no database');\nexport class Site {}");
      for (const _ of [1, 2]) {
        await expect(readSources(file)).rejects.toThrow(
          `readSources: ${file} cannot be imported: no database; give the modules as this program runs them`,
        );
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
