import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageOfPackage, withTagOfPackage } from './image-of-package.ts';

describe('the image of a package', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-image-of-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const write = (manifest: object): Promise<void> => writeFile(join(folder, 'package.json'), JSON.stringify(manifest));

  it('has the name and the version of package.json', async () => {
    await write({ name: '@acme/sites', version: '1.2.0+build' });
    expect(imageOfPackage(folder)).toBe('acme/sites:1.2.0-build');
    await write({ name: 'sites' });
    expect(imageOfPackage(folder)).toBe('sites:latest');
  });

  it('gets the version as its tag if it has neither a tag nor a digest', async () => {
    await write({ name: 'sites', version: '1.2.0' });
    expect(withTagOfPackage('localhost:5000/team/sites', folder)).toBe('localhost:5000/team/sites:1.2.0');
    for (const whole of ['sites:2', 'localhost:5000/sites:2', `sites@sha256:${'0'.repeat(64)}`]) {
      expect(withTagOfPackage(whole, folder)).toBe(whole);
    }
  });
});
