import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes } from '@evenkeel/core';
import { isTest, root, sourceFilesBelow } from './imports.fixture.ts';

const documented = [...readFileSync(join(root, 'docs/errors.md'), 'utf8').matchAll(/^## (.+)$/gm)].map(
  (match) => match[1] ?? '',
);

describe('error codes', () => {
  it('are all documented in alphabetical order, without others', () => {
    expect(documented).toEqual([...errorCodes]);
    expect([...errorCodes]).toEqual([...errorCodes].sort());
  });

  it('are all used', () => {
    const source = sourceFilesBelow('packages')
      .filter((file) => !isTest(file) && !file.endsWith('errors/error-codes.ts') && !file.includes('/generated/'))
      .map((file) => readFileSync(join(root, file), 'utf8'))
      .join('\n');
    expect(errorCodes.filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  });

  it('have a meaning and a fix in the documentation', () => {
    const sections = readFileSync(join(root, 'docs/errors.md'), 'utf8')
      .split(/^## .+$/m)
      .slice(1);
    expect(sections.every((section) => section.trim().length > 40)).toBe(true);
  });
});
