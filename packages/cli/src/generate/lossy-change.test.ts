import { readFileSync } from 'node:fs';
import { Project } from '../project.fixture.ts';

/** A kind with one version and these fields of its spec. */
function site(fields: string, { lossy = '', config = '' } = {}): Record<string, string> {
  return {
    'evenkeel.config.ts': `export default { apis: ['./src/*.ts'], deployment: false${config} };`,
    'src/site.ts': `import { CustomResource, KubernetesObject, Spec } from '@evenkeel/core';
import * as v from 'class-validator';

export class SiteSpec {
${fields}
}
@CustomResource({ group: 'web.example.com', version: 'v1'${lossy} })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
`,
  };
}

const before = '  color?: string;\n  @v.Max(9) size?: number;';
const after = '  colour?: string;\n  @v.Max(5) size?: number;';
const added = `${before}\n  text = 'new';`;
const crd = 'config/crd/web.example.com_sites.yaml';
const released = ", released: './config/released'";

const details = [
  '  the previous v1 to the new v1: spec.color is lost, because the new v1 does not have it',
  '    src/site.ts:6: the previous v1 to the new v1: spec.size can be invalid, because maximum is 5 in the new v1 and 9 in the previous v1',
];

let project: Project;
beforeEach(async () => {
  project = await Project.create(site(before));
  expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
});
afterEach(() => project.remove());

const release = async (): Promise<void> =>
  project.write({ 'config/released/web.example.com_sites.yaml': await project.read(crd) });

describe('a change of the only version of a kind by which stored objects lose data', () => {
  it('is a notice with the fields, once, because a project without a release changes its fields all the time', async () => {
    await project.write(site(after));
    const { exitCode, out, err } = await project.run('generate');
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: `${crd} written` });
    expect(err.split('\n').map((line) => line.replace(/^ {4}(?=the)/, '  '))).toEqual([
      'notice: src/site.ts:9: Site: objects of Site that are stored under the previous CRD lose data or become invalid; ignore this if no cluster has objects to keep. Otherwise keep the old fields and constraints, or move the data first [lossy-change]',
      ...details,
    ]);
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
  });

  it('is reported as the guide shows', () => {
    const guide = readFileSync(new URL('../../../../docs/custom-resources.md', import.meta.url), 'utf8');
    for (const detail of details) expect(guide).toContain(detail.replace(/^.*?(?=the previous)/, ''));
    expect(guide).toContain(released.replace(/^, /, ''));
  });

  it('is shown by --check next to the stale file', async () => {
    await project.write(site(after));
    const { exitCode, err } = await project.run('generate', '--check');
    expect(exitCode).toBe(1);
    expect(err).toContain('[lossy-change]');
    expect(err).toContain('[stale-output]');
  });

  it('is an error if the CRD is released, with and without --check, also after the generated file has changed', async () => {
    await release();
    await project.write(site(after));
    await project.run('generate');
    await project.write(site(after, { config: released }));
    for (const options of [[], ['--check']]) {
      const { exitCode, err } = await project.run('generate', ...options);
      expect(exitCode).toBe(1);
      expect(err).toContain(
        "error: src/site.ts:9: Site: objects of Site that are stored under the released CRD lose data or become invalid; keep the old fields and constraints, or accept this with lossy: { stored: { 'spec.color': '<reason>', 'spec.size': '<reason>' } } in @CustomResource of Site [lossy-change]",
      );
      expect(err).toContain('spec.color is lost');
      expect(err).toContain('src/site.ts:6: the previous v1 to the new v1: spec.size can be invalid');
    }
  });

  it('is accepted with a reason for each field, which a notice shows with what happens to it', async () => {
    await release();
    const lossy = ", lossy: { stored: { 'spec.color': 'nobody set it', 'spec.size': 'all are small' } }";
    await project.write(site(after, { lossy, config: released }));
    const { exitCode, err } = await project.run('generate');
    expect(exitCode).toBe(0);
    expect(err.split('\n')).toEqual([
      'notice: src/site.ts:9: Site: objects of Site that are stored under the released CRD lose data or become invalid, which lossy accepts [lossy-change]',
      '    the previous v1 to the new v1: spec.color is lost, because the new v1 does not have it; accepted: nobody set it',
      `${details[1]}; accepted: all are small`,
    ]);
    await release();
    expect((await project.run('generate')).err).toBe(
      'notice: src/site.ts:9: Site: @CustomResource: lossy.stored has no effect on spec.color, spec.size, because no object that is stored under the released CRD is affected there; remove it [lossy-change]',
    );
    await project.write(site(after, { lossy }));
    expect((await project.run('generate')).err).toBe(
      'notice: src/site.ts:9: Site: @CustomResource: lossy.stored has no effect on spec.color, spec.size, because the configuration has no released CRDs to compare with; set "released", or remove it [lossy-change]',
    );
  });

  it('is an error for the fields that the class does not accept, or accepts between versions only', async () => {
    await release();
    const lossy = ", lossy: { stored: { 'spec.size': 'all are small' }, versions: { 'spec.color': 'x' } }";
    await project.write(site(after, { lossy, config: released }));
    const { exitCode, err } = await project.run('generate');
    expect(exitCode).toBe(1);
    expect(err).toContain(
      "accept this with lossy: { stored: { 'spec.color': '<reason>' } } in @CustomResource of Site",
    );
    expect(err).not.toContain("'spec.size': '<reason>'");
  });

  it('is reported together with what the same change loses between versions', async () => {
    const conversion = ', conversion: { hub: () => NewSite }';
    const two = `${site(before, { lossy: conversion })['src/site.ts']}
@CustomResource({ group: 'web.example.com', version: 'v2', kind: 'Site', storage: true })
export class NewSite extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
`;
    await project.write({ 'src/site.ts': two });
    await project.run('generate');
    await release();
    const removed = `export class OldSpec {
  @v.Max(9) size?: number;
}
`;
    const changed = (lossy: string) => ({
      'evenkeel.config.ts': `export default { apis: ['./src/*.ts']${released} };`,
      'src/site.ts': two
        .replace(conversion, `, conversion: { hub: () => NewSite, omit: { hub: ['spec.color'] } }${lossy}`)
        .replace('spec!: SiteSpec', 'spec!: OldSpec')
        .replace('@CustomResource', `${removed}@CustomResource`),
    });
    const codes = async (lossy = '') => {
      await project.write(changed(lossy));
      const { out } = await project.run('generate', '--output', 'json');
      const { findings } = JSON.parse(out) as { findings: { level: string; code: string }[] };
      return findings.map(({ level, code }) => `${level} ${code}`).sort();
    };
    expect(await codes()).toEqual(['error lossy-change', 'error lossy-versions']);
    expect(await codes(", lossy: { stored: { 'spec.color': 'nobody set it' } }")).toEqual([
      'error lossy-versions',
      'notice lossy-change',
    ]);
    expect(await codes(", lossy: { versions: { 'spec.color': 'v1 ends soon' } }")).toEqual([
      'error lossy-change',
      'notice lossy-versions',
    ]);
  });

  it.each([
    ['adds a field with a default', added],
    ['widens a constraint', before.replace('9) size', '99) size')],
  ])('is not reported if it %s', async (_, fields) => {
    await release();
    await project.write(site(fields, { config: released }));
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
  });

  it.each<[string, string, string, string?]>([
    ['requires a field', before.replace('color?', 'color!'), 'spec.color can be missing, but the new v1 requires it'],
    [
      'adds a limit',
      before.replace('@v.Max(9)', '@v.Min(1) @v.Max(9)'),
      'spec.size can be invalid, because minimum is 1 in the new v1 and not set in the previous v1',
    ],
    [
      'changes a type',
      before.replace('color?: string', 'color?: number'),
      'spec.color can be invalid, because its type is number instead of string',
    ],
    [
      'changes a default',
      before.replace('color?: string', "color = 'blue'"),
      'an object that was stored without spec.color gets "blue" instead of "red"',
      before.replace('color?: string', "color = 'red'"),
    ],
    [
      'removes a default',
      before,
      'an object that was stored without spec.color does not get the default "red" any more',
      before.replace('color?: string', "color = 'red'"),
    ],
  ])('is an error if it %s', async (_, fields, message, fieldsBefore = before) => {
    await project.write(site(fieldsBefore));
    await project.run('generate');
    await release();
    await project.write(site(fields, { config: released }));
    const { exitCode, err } = await project.run('generate');
    expect(exitCode).toBe(1);
    expect(err).toContain(message);
  });

  it('is an error if the scope of a released kind changes, which the API server rejects', async () => {
    await project.write(site(before));
    await project.run('generate');
    await release();
    await project.write(site(before, { lossy: ", scope: 'Cluster'", config: released }));
    const { exitCode, err } = await project.run('generate');
    expect(exitCode).toBe(1);
    expect(err).toContain(
      'the scope is Cluster, and Namespaced in the released CRD; the API server rejects a change of the scope, so restore it, or declare a new kind [refused-by-api-server]',
    );
  });

  it('is not looked for in a file that is not a CRD', async () => {
    await project.write({ ...site(after), [crd]: '# Generated by "evenkeel generate"\n*a: [' });
    const { exitCode, err } = await project.run('generate');
    expect([exitCode, err]).toEqual([
      0,
      expect.stringMatching(/^notice: .* was changed by hand, .* \[edited-output\]$/),
    ]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['is missing', {}, 'released: ./config/released is not a folder; copy the CRDs of your last release there'],
    [
      'has CRDs in a subfolder too, as after a second cp -R',
      {
        'config/released/a.yaml': 'kind: ConfigMap\n',
        'config/released/crd/a.yaml': 'kind: CustomResourceDefinition\n',
      },
      'released: config/released/crd/a.yaml is in a subfolder, which is not read; put the CRDs of your last release into config/released itself',
    ],
    ['has no CRD', { 'config/released/a.txt': '' }, 'released: config/released contains no CRD'],
    [
      'has a broken file',
      { 'config/released/a.yaml': 'a: [' },
      'released: config/released/a.yaml is not a valid CRD: ',
    ],
    [
      'has an invalid CRD',
      { 'config/released/a.yaml': 'kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\nspec: {}' },
      'released: config/released/a.yaml is not a valid CRD: metadata.name',
    ],
  ])('is an error of the configuration if the folder of the release %s', async (_, files, message) => {
    await project.write({ ...site(before, { config: released }), ...files });
    const { exitCode, err } = await project.run('generate');
    expect(exitCode).toBe(1);
    expect(err).toContain(message);
    expect(err).toContain('[invalid-config]');
  });
});
