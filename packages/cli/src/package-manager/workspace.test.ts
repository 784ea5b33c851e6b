import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { workspaceOf } from './workspace.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'evenkeel-workspace-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function workspace(files: Readonly<Record<string, string>>, from = '.'): unknown {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const { root, manager, folders } = workspaceOf(join(folder, from));
  return {
    root: relative(folder, root),
    manager: manager.name,
    folders: folders.map((each) => relative(folder, each)),
  };
}

const members = { 'a/one/package.json': '{}', 'a/two/package.json': '{}', 'a/node_modules/x/package.json': '{}' };

describe('the workspace of a package', () => {
  it.each([
    ['package-lock.json', 'npm'],
    ['npm-shrinkwrap.json', 'npm'],
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bun'],
    ['bun.lockb', 'bun'],
  ])('with %s belongs to %s', (lockfile, manager) => {
    expect(workspace({ 'package.json': '{}', [lockfile]: '' })).toEqual({ root: '', manager, folders: [''] });
  });

  it('with several lockfiles belongs to the manager in package.json', () => {
    const locks = { 'package-lock.json': '', 'yarn.lock': '', 'bun.lock': '' };
    const files = { 'package.json': '{ "packageManager": "bun@1.3.0" }', ...locks };
    expect(workspace(files)).toMatchObject({ manager: 'bun' });
  });

  it('without a lockfile is the package, for npm', () => {
    expect(workspace({ 'package.json': '{ "workspaces": ["a/*"] }', ...members }, 'a/one')).toEqual({
      ...{ root: join('a', 'one'), manager: 'npm', folders: [join('a', 'one')] },
    });
  });

  it.each([
    ['npm', { 'package.json': '{ "workspaces": ["a/*", "!a/two"] }', 'package-lock.json': '' }],
    ['yarn', { 'package.json': '{ "workspaces": { "packages": ["a/one/"] } }', 'yarn.lock': '' }],
    ['pnpm', { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages: ["a/*", "!a/two"]\n', 'pnpm-lock.yaml': '' }],
  ])('has the members that %s declares', (manager, files) => {
    const expected = { root: '', manager, folders: ['', join('a', 'one')] };
    expect(workspace({ ...files, ...members }, 'a/one')).toEqual(expected);
    expect(workspace({}, '.')).toEqual(expected);
  });

  it('ignores a lockfile above it that is not of its workspace', () => {
    expect(workspace({ 'package.json': '{}', 'yarn.lock': '', ...members }, 'a/one')).toMatchObject({
      root: join('a', 'one'),
      manager: 'npm',
    });
  });
});
