import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformanceFiles } from './conformance-files.fixture.ts';
import { root, sourceFilesBelow } from './imports.fixture.ts';

const needsRealServer = /\b(?:describeWith|start)RealServer\b|\bdescribeOn(?:Every|Restartable)Servers?\b/;

it('lists all files whose tests need a real control plane, because npm test omits these tests', () => {
  const needed = ['packages', 'examples', 'test']
    .flatMap(sourceFilesBelow)
    .filter((file) => file.endsWith('.test.ts') && file !== 'test/conformance-files.test.ts')
    .filter((file) => needsRealServer.test(readFileSync(join(root, file), 'utf8')));
  const isListed = (file: string): boolean => conformanceFiles.some((name) => new RegExp(name).test(file));
  expect(needed.length).toBeGreaterThan(50);
  expect(needed.filter((file) => !isListed(file))).toEqual([]);
});
