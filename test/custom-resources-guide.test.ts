import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { controllerDecorators } from '@evenkeel/core';
import * as classTransformer from 'class-transformer';
import * as classValidator from 'class-validator';
import * as evenkeel from 'evenkeel';
import { root, sourceFilesBelow } from './imports.fixture.ts';

const guide = readFileSync(join(root, 'docs/custom-resources.md'), 'utf8');

/** Returns the decorators in code spans of the tables. */
const named = new Set(
  guide
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...line.matchAll(/@([A-Z]\w*)\(/g)].map((match) => match[1] ?? '')),
);

/** Returns the decorators that the package evenkeel exports and core declares. */
const decorators = sourceFilesBelow('packages/core/src/decorators')
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/^export function ([A-Z]\w*)\(/gm)])
  .map((match) => match[1] ?? '');

const ofControllers: readonly string[] = [
  ...controllerDecorators.map(({ name }) => name),
  'ListerOf',
  'Admit',
  'Mutation',
];

describe('the guide to custom resources', () => {
  it('names only existing decorators', () => {
    expect(named.size).toBeGreaterThan(40);
    const exported: Readonly<Record<string, unknown>> = { ...classTransformer, ...classValidator, ...evenkeel };
    expect([...named].filter((name) => typeof exported[name] !== 'function')).toEqual([]);
  });

  it('lists every decorator of schemas', () => {
    // The first example of the guide shows this one.
    const inExample = ['Spec'];
    expect(decorators).toContain('SelectableField');
    expect(decorators.filter((name) => ![...named, ...ofControllers, ...inExample].includes(name))).toEqual([]);
    expect(decorators.filter((name) => !(name in evenkeel))).toEqual([]);
  });

  it('uses every decorator of properties and classes in the kind that is tested on the real API server', () => {
    const fixture = readFileSync(join(root, 'packages/schema/src/generate/vocabulary.fixture.ts'), 'utf8');
    const ofVersions = ['PrinterColumn', 'Scale', 'SelectableField', 'Status', 'Conditions'];
    const unused = decorators.filter((name) => !new RegExp(`\\b${name}\\(`).test(fixture));
    expect(unused.filter((name) => ![...ofControllers, ...ofVersions].includes(name))).toEqual([]);
  });

  describe('has code', () => {
    let project: string;
    beforeAll(async () => {
      project = await mkdtemp(join(tmpdir(), 'evenkeel-guide-'));
      await symlink(join(root, 'node_modules'), join(project, 'node_modules'));
      await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    });
    afterAll(() => rm(project, { recursive: true, force: true }));

    async function generate(file: string, text: string) {
      await writeFile(join(project, file), text);
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--conditions=evenkeel-source',
        '--no-warnings',
        join(root, 'test', 'decorator-metadata', 'generate-module.ts'),
        join(project, file),
      ]);
      return JSON.parse(stdout) as { errors: string[]; notices: string[]; definitions: string[] };
    }

    it('whose first example is generated without notices', async () => {
      const [, first = ''] = /^```ts\n(.*?)^```$/ms.exec(guide) ?? [];
      expect(await generate('first.ts', first)).toEqual({
        errors: [],
        notices: [],
        definitions: ['servers.docs.example.com'],
      });
    });

    it('whose classes are all generated without errors', async () => {
      const blocks = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
      const classes = [...blocks.join('').matchAll(/^export (?:abstract )?class (\w+) /gm)].map(
        (match) => match[1] ?? '',
      );
      // A kind with a property of each class, so that every class is read.
      const all = classes.filter(
        (name) => !['Server', 'ServerStatus', 'Shop', 'ShopV1alpha1', 'ShopV1beta1', 'Source'].includes(name),
      );
      const kind = [
        'export class AllSpec {',
        ...all.map((name) => `  @Type(() => ${name}) a${name}?: ${name};`),
        '}',
        "@CustomResource({ group: 'docs.example.com', version: 'v1' })",
        'export class All extends KubernetesObject {',
        '  @Spec() spec!: AllSpec;',
        '}',
      ];
      const { errors, definitions } = await generate('guide.ts', [...blocks, ...kind, ''].join('\n'));
      expect(errors).toEqual([]);
      expect(definitions).toEqual(['alls.docs.example.com', 'servers.docs.example.com', 'shops.docs.example.com']);
      expect(all.length).toBeGreaterThan(10);
    });

    it('whose versions lose data with exactly the error that it shows', async () => {
      const blocks = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
      const [imports = ''] = /^import \{\n {2}AtMostOneOf.*?;\n/ms.exec(guide) ?? [];
      const versions = blocks.filter((block) => block.includes("kind: 'Shop'")).join('');
      const { errors } = await generate('lossy.ts', imports + versions.replace(/ +lossy: .*\n/, ''));
      const [, shown = ''] = /^```\n(objects of Shop .*?)\n```$/ms.exec(guide) ?? [];
      const places = /^ *\S*lossy\.ts:\d+: (?:ShopV1alpha1: )?/gm;
      expect(errors.map((error) => error.replaceAll(places, ''))).toEqual([shown]);
      const accepted = await generate('accepted.ts', imports + versions);
      expect(accepted).toMatchObject({
        errors: [],
        notices: [expect.stringContaining('does not have it; accepted: only our own tests use v1alpha1')],
      });
    });
  });
});
