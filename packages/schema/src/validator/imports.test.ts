import { importsBelow, isTest } from '../../../../test/imports.fixture.ts';

/** All modules outside of this package that a module loads, directly or indirectly, including those loaded on demand. */
function loadedBy(entry: string): { files: ReadonlySet<string>; packages: readonly string[] } {
  const imports = Map.groupBy(
    importsBelow('packages/schema/src').filter((found) => !found.typeOnly && !isTest(found.file)),
    ({ file }) => file,
  );
  const files = new Set([entry]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const { target } of imports.get(file) ?? []) {
      if (target.startsWith('packages/')) files.add(target);
      else packages.add(target.replace(/^(@evenkeel\/[^/]+)\/.*$/, '$1'));
    }
  }
  return { files, packages: [...packages].sort() };
}

describe('imports of operators', () => {
  it('@evenkeel/schema/validator loads no dependency of the generator', () => {
    const { files, packages } = loadedBy('packages/schema/src/validator/index.ts');
    expect(packages.filter((name) => !name.startsWith('node:'))).toEqual([
      '@evenkeel/apimachinery',
      '@evenkeel/core',
      'class-validator',
      're2js',
      'reflect-metadata',
    ]);
    const folders = new Set([...files].map((file) => file.split('/')[3]));
    expect([...folders].sort()).toEqual(['evaluate', 'model', 'regular-expression', 'validator']);
  });

  it('@evenkeel/schema/evaluate loads only re2js and @evenkeel/apimachinery', () => {
    const { files, packages } = loadedBy('packages/schema/src/evaluate/index.ts');
    expect(packages.filter((name) => !name.startsWith('node:'))).toEqual(['@evenkeel/apimachinery', 're2js']);
    expect([...files].filter((file) => !file.startsWith('packages/schema/src/evaluate/'))).toEqual([
      'packages/schema/src/regular-expression/pattern.ts',
    ]);
    expect(files.size).toBeGreaterThan(50);
  });
});
