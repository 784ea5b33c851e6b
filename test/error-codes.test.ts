import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '@evenkeel/core';
import { isTest, root, sourceFilesBelow } from './imports.fixture.ts';

const documented = [...readFileSync(join(root, 'docs/errors.md'), 'utf8').matchAll(/^## (.+)$/gm)].map(
  (match) => match[1] ?? '',
);

describe('error codes', () => {
  it('are documented, each and no others, in alphabetical order', () => {
    expect(documented).toEqual([...errorCodes]);
    expect([...errorCodes]).toEqual([...errorCodes].sort());
  });

  it('are each raised somewhere', () => {
    const source = sourceFilesBelow('packages')
      .filter((file) => !isTest(file) && !file.endsWith('errors/error-codes.ts') && !file.includes('/generated/'))
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    expect(errorCodes.filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  });

  it('say what each means and how to mend it', () => {
    const sections = readFileSync(join(root, 'docs/errors.md'), 'utf8')
      .split(/^## .+$/m)
      .slice(1);
    expect(sections.every((section) => section.trim().length > 40)).toBe(true);
  });
});
