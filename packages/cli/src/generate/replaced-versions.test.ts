import { Project } from '../project.fixture.ts';

/** A kind with these versions, each with the options of its class. */
function versions(options: Readonly<Record<string, string>>, config = ''): Record<string, string> {
  const classes = Object.entries(options).map(
    ([version, more]) => `
@CustomResource({ group: 'web.example.com', version: '${version}', kind: 'Site'${more} })
export class Site${version} extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
`,
  );
  return {
    'evenkeel.config.ts': `export default { apis: ['./src/site.ts'], deployment: false${config} };`,
    'src/site.ts': `import { CustomResource, KubernetesObject, Spec } from '@evenkeel/core';
import { IsString } from 'class-validator';
export class SiteSpec {
  @IsString() color!: string;
}
${classes.join('')}`,
  };
}

const file = 'config/crd/web.example.com_sites.yaml';
const storage = ', storage: true';
const releasedFile = 'config/released/web.example.com_sites.yaml';
const released = ", released: './config/released'";

const stored = (path: string) =>
  `error: src/site.ts:8: Sitev1: no class declares v1beta1 of sites.web.example.com, but clusters store objects in it, so the API server would reject the new CRD; keep the class of v1beta1, make another version the storage version, run "evenkeel migrate sites.web.example.com" on each cluster, and then remove the class; if no cluster has the CRD in ${path}, delete that file [version-still-used]`;
const served = (path: string, next: string) =>
  `error: src/site.ts:8: Sitev1beta1: no class declares v1 of sites.web.example.com, but clusters serve it, so requests for it would fail; check with "evenkeel versions sites.web.example.com" that no client writes it, restore the class with served: false, ${next}, and then remove the class; if no cluster has the CRD in ${path}, delete that file [version-still-used]`;

let project: Project;
beforeEach(async () => {
  project = await Project.create(versions({ v1beta1: storage, v1: '' }));
  expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
});
afterEach(() => project.remove());

async function generate(options: Readonly<Record<string, string>>, ...words: string[]) {
  await project.write(versions(options));
  return project.run('generate', ...words);
}

describe('a generated CRD that replaces another', () => {
  it('cannot lose the storage version', async () => {
    const before = await project.read(file);
    const refused = {
      exitCode: 1,
      out: '',
      err: stored(file),
    };
    expect(await generate({ v1: '' })).toEqual(refused);
    expect(await generate({ v1: '' }, '--check')).toEqual(refused);
    expect(await project.read(file)).toBe(before);
  });

  it('cannot lose a served version, but one that is not served', async () => {
    expect(await generate({ v1beta1: storage })).toEqual({
      exitCode: 1,
      out: '',
      err: served(file, 'generate'),
    });
    expect(await generate({ v1beta1: storage, v1: ', served: false' })).toMatchObject({ exitCode: 0, err: '' });
    expect(await generate({ v1beta1: storage })).toMatchObject({ exitCode: 0, err: '', out: `${file} written` });
  });

  it('names a class that probably is the missing version', async () => {
    const { 'src/site.ts': source = '' } = versions({ v1beta1: storage, v1: '' });
    const withV1 = (change: (options: string) => string) =>
      project.write({
        'src/site.ts': source.replace(/\{ group: 'web.example.com', version: 'v1', kind: 'Site' \}/, change),
      });
    await withV1((options) => options.replace('web.', 'web2.'));
    const { exitCode, err } = await project.run('generate');
    expect(exitCode).toBe(1);
    expect(err).toContain(
      "Sitev1 declares v1 of Site in the group web2.example.com; if it is this version, set group: 'web.example.com' there. Otherwise: no class declares v1 of sites.web.example.com",
    );
    await withV1((options) => options.replace(", kind: 'Site'", ''));
    expect((await project.run('generate')).err.match(/\[[a-z-]+\]/g)).toEqual(['[separate-kind]']);
  });

  it('can have another storage version, with a notice', async () => {
    expect(await generate({ v1beta1: '', v1: storage })).toEqual({
      exitCode: 0,
      out: `${file} written`,
      err: `notice: src/site.ts:13: Sitev1: the storage version of sites.web.example.com changes from v1beta1 to v1; existing objects stay in v1beta1 until they are written, so run "evenkeel migrate sites.web.example.com" on each cluster after the new CRD is installed [storage-version-moved]`,
    });
    expect(await project.run('generate')).toEqual({ exitCode: 0, out: `${file} is current`, err: '' });
  });

  it('warns of fields that the new storage version does not keep', async () => {
    const { 'src/site.ts': source = '' } = versions({ v1beta1: '', v1: storage });
    const smaller = source
      .replace("version: 'v1beta1', kind: 'Site'", "$&, lossy: { versions: { 'spec.color': 'nobody needs it' } }")
      .replace('class Sitev1 extends KubernetesObject {\n  @Spec() spec!: SiteSpec', '$&1')
      .replace('@CustomResource', 'export class SiteSpec1 {\n  @IsString() tone!: string;\n}\n$&')
      .replace("'spec.color':", "'spec.tone': 'it is new', 'spec.color':");
    await project.write({ 'src/site.ts': smaller });
    const { exitCode, err } = await project.run('generate');
    expect(exitCode).toBe(0);
    expect(err).toContain(
      'after the new CRD is installed; v1 does not have spec.color, so each write of an existing object drops these fields, and the command refuses to migrate objects that have them: copy the values first, or pass --allow-data-loss [storage-version-moved]',
    );
  });

  it('is compared with the released CRD instead, if there is one', async () => {
    await project.write({ [releasedFile]: await project.read(file) });
    const write = (options: Readonly<Record<string, string>>) => project.write(versions(options, released));
    await write({ v1beta1: storage, v1: ', served: false', v2: '' });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    // The generated file has v1 without "served" now, and v2.
    await write({ v1beta1: storage });
    expect(await project.run('generate')).toEqual({ exitCode: 1, out: '', err: served(releasedFile, 'release that') });
    await write({ v1: '' });
    expect(await project.run('generate', '--check')).toEqual({ exitCode: 1, out: '', err: stored(releasedFile) });

    await write({ v1beta1: storage, v1: ', served: false' });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    await project.write({ [releasedFile]: await project.read(file) });
    await write({ v1beta1: storage });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '', out: `${file} written` });
  });

  it('reports a new storage version until that is released', async () => {
    await project.write({
      [releasedFile]: await project.read(file),
      ...versions({ v1beta1: '', v1: storage }, released),
    });
    for (const _ of ['written', 'current']) {
      const { exitCode, err } = await project.run('generate');
      expect(exitCode).toBe(0);
      expect(err).toMatch(/changes from v1beta1 to v1; .* \[storage-version-moved\]$/);
    }
    await project.write({ [releasedFile]: await project.read(file) });
    expect(await project.run('generate')).toEqual({ exitCode: 0, out: `${file} is current`, err: '' });
  });

  it('is reported to programs', async () => {
    const { out } = await generate({ v1: '' }, '--output', 'json');
    expect(JSON.parse(out)).toMatchObject({ ok: false, findings: [{ level: 'error', code: 'version-still-used' }] });
  });

  it.each([
    '',
    'spec: [',
    'spec: { versions: [null, { name: v0 }] }',
    'metadata: { name: 5 }\nspec: { versions: [{ name: v0, served: true, storage: true }] }',
  ])('may replace a file that was edited to %j', async (text) => {
    const [mark = ''] = (await project.read(file)).split('\n');
    await project.write({ [file]: `${mark}\n${text}\n` });
    const { exitCode, err } = await generate({ v1: '' });
    expect([exitCode, err]).toEqual([
      0,
      expect.stringMatching(/^notice: .* was changed by hand, .* \[edited-output\]$/),
    ]);
  });
});
