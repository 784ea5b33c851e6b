import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Cache } from '../generate/cache.fixture.ts';
import { readSources } from './read-sources.ts';

const url = new URL('../generate/cache.fixture.ts', import.meta.url).href;

describe('readSources()', () => {
  it("finds the program's classes by a path relative to the working folder and by a URL", async () => {
    const path = fileURLToPath(url);
    for (const file of [url, path, relative(process.cwd(), path)]) {
      const sources = await readSources(file);
      expect(sources.findings).toEqual([]);
      expect(sources.sourceOf(Cache)).toMatchObject({ name: 'Cache', file: path });
    }
  });

  it('reads the same modules once, in any order', async () => {
    const other = new URL('../generate/backup.fixture.ts', import.meta.url).href;
    const both = await readSources([url, other]);
    expect(await readSources([other, url, url])).toBe(both);
    const one = await readSources(url);
    expect(one).not.toBe(both);
    expect(one.sourceOf(Cache)).toBe(both.sourceOf(Cache));
  });

  it('reports the path of a missing file', async () => {
    await expect(readSources('src/missing.ts')).rejects.toThrow(
      `readSources: the file ${join(process.cwd(), 'src/missing.ts')} does not exist; paths are relative to the working folder`,
    );
  });

  it('names the fix if a module cannot be imported, and tries again in the next call', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'evenkeel-sources-'));
    try {
      const file = join(folder, 'broken.mts');
      await writeFile(file, "throw new Error('no database');\nexport class Site {}");
      for (const _ of [1, 2]) {
        await expect(readSources(file)).rejects.toThrow(
          `readSources: ${file} cannot be imported: no database; pass the modules as this program runs them`,
        );
      }
      process.env['VITEST'] = 'true';
      await expect(readSources(file)).rejects.toThrow(
        `readSources: ${file} cannot be imported: no database; add server: { deps: { inline: ['@evenkeel/schema'] } } to test in vitest.config.ts`,
      );
    } finally {
      delete process.env['VITEST'];
      await rm(folder, { recursive: true });
    }
  });
});
