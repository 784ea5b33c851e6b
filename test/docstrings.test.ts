import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicNames } from './docstrings.fixture.ts';
import { root } from './imports.fixture.ts';

const folder = join(root, 'scripts/api-reference');
const { entryPoints } = JSON.parse(readFileSync(join(folder, 'typedoc.json'), 'utf8')) as {
  readonly entryPoints: readonly string[];
};

/** What the API server of Kubernetes describes: generated, and documented there. */
const generated = /^packages\/kinds\/src\/generated\//;

describe('the API reference', () => {
  it.each(entryPoints)('has a docstring of every export of %s', (entryPoint) => {
    const names = publicNames(join(folder, entryPoint));
    expect(names.length).toBeGreaterThanOrEqual(5);
    const missing = names.filter(({ hasDocstring, file }) => !hasDocstring && !generated.test(file));
    expect(missing.map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
  });

  it('has every package that users import', () => {
    const packages = entryPoints.map((path) => path.replace(/^.*packages\/(.*)\/src\/(.*)\.ts$/, '$1/$2'));
    expect(packages).toEqual([
      'evenkeel/index',
      'core/index',
      'runtime/index',
      'client/index',
      'testing/index',
      'schema/index',
      'cli/config',
    ]);
  });

  it('names each page after the specifier that users import', () => {
    const named = entryPoints.map((path) => {
      const [, name] = /^ \* @module (\S+)$/m.exec(readFileSync(join(folder, path), 'utf8')) ?? [];
      return name;
    });
    const specifiers = entryPoints.map((path) => {
      const [, name = '', file = ''] = /packages\/(.*)\/src\/(.*)\.ts$/.exec(path) ?? [];
      return `${name === 'evenkeel' ? name : `@evenkeel/${name}`}${file === 'index' ? '' : `/${file}`}`;
    });
    expect(named).toEqual(specifiers);
  });
});
