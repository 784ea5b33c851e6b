import type { Project } from '../project.fixture.ts';
import { commit, createdProject, fails, git, runs, sourcesOf } from './created-project.fixture.ts';

let project: Project;
afterEach(() => project?.remove());

const oddOperator = `import { defineOperator } from "evenkeel"
import {ShopController} from "./shop.controller.js"

export const operator = defineOperator({
\tname: "shop",
\tcontrollers: [
\t\t// sells
\t\tShopController // first
\t\t// further ones
\t],
})
`;

describe('evenkeel delete api', () => {
  it.each<[string, Record<string, string>, string[]]>([
    ['classes', {}, []],
    ['functions', {}, ['--functions']],
    ['an odd style', { 'src/operator.ts': oddOperator }, []],
    [
      'a pattern of APIs',
      {
        'evenkeel.config.ts': "export default { apis: ['./src/*.ts'], operator: './src/operator.ts', samples: [] };\n",
      },
      [],
    ],
    [
      'a new folder',
      {
        'evenkeel.config.ts':
          "export default { apis: [], operator: './src/operator.ts', samples: ['./objects/all/a.yaml'] };\n",
      },
      [],
    ],
  ])('restores what was before create api, with %s', async (_name, files, options) => {
    project = await createdProject(files);
    const before = sourcesOf(project);
    await runs(project, 'create', 'api', 'Voucher', ...options);
    expect(sourcesOf(project)).not.toEqual(before);
    await runs(project, 'delete', 'api', 'Voucher', '--force');
    expect(sourcesOf(project)).toEqual(before);
    expect(git(project, 'status', '--porcelain')).toBe('');
  });

  it('deletes webhooks, versions and their tests too', async () => {
    project = await createdProject();
    await runs(project, 'create', 'version', 'Shop', 'v1');
    await runs(project, 'create', 'webhook', 'Shop', '--mutating', '--validating');
    await runs(project, 'create', 'api', 'Voucher');
    commit(project);
    expect(await runs(project, 'delete', 'api', 'Shop')).toMatchInlineSnapshot(`
"src/operator.ts changed
evenkeel.config.ts changed
src/shop-v1.ts deleted
src/shop.ts deleted
src/shop.controller.ts deleted
src/shop.defaults.ts deleted
src/shop.validator.ts deleted
src/shop.defaults.test.ts deleted
src/shop.test.ts deleted
src/shop.validator.test.ts deleted
samples/shop.yaml deleted
samples/shop-v1.yaml deleted
next: evenkeel generate"
`);
    expect(await project.read('src/operator.ts')).toMatchInlineSnapshot(`
"import { defineOperator } from 'evenkeel';
import { VoucherController } from './voucher.controller.ts';

export const operator = defineOperator({
  name: 'shop',
  controllers: [VoucherController],
  conversions: [],
  webhooks: [],
});
"
`);
    await runs(project, 'generate');
  });

  it('deletes one version', async () => {
    project = await createdProject();
    const before = sourcesOf(project);
    await runs(project, 'create', 'version', 'Shop', 'v1');
    commit(project);
    expect(await runs(project, 'delete', 'api', 'Shop/v1')).toContain(
      'src/shop-v1.ts deleted\nsamples/shop-v1.yaml deleted\n',
    );
    const after = sourcesOf(project);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    await runs(project, 'generate');
  });

  it('lists everything that must be changed first', async () => {
    project = await createdProject();
    await runs(project, 'create', 'api', 'Voucher');
    await project.write({
      'src/report.ts': "export * from './voucher.ts';\nexport const load = () => import('./voucher.controller.ts');\n",
      'src/both.test.ts': "import './shop.ts';\nimport './voucher.ts';\n",
      'src/broken.ts': 'const =;\n',
      'samples/voucher.yaml':
        'apiVersion: shop.example.com/v1alpha1\nkind: Voucher\nmetadata: { name: a }\n---\napiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n',
    });
    commit(project);
    expect(await fails(project, 'delete', 'api', 'Voucher')).toMatchInlineSnapshot(`
"error: Voucher is still used; change this first: [kind-still-used]
    samples/voucher.yaml has other objects besides Voucher; remove the documents of Voucher
    src/broken.ts:1 cannot be read: Unexpected token
    src/both.test.ts:2 imports from ./voucher.ts; remove the import and what uses it
    src/report.ts:1 imports from ./voucher.ts; remove the import and what uses it
    src/report.ts:2 imports from ./voucher.controller.ts; remove the import and what uses it"
`);
  });

  it('refuses a module that declares something else too', async () => {
    project = await createdProject();
    const { 'src/shop.controller.ts': controller = '' } = sourcesOf(project);
    await project.write({
      'src/shop.controller.ts': `${controller}\n@Controller(Deployment)\nexport class Other {\n  @Reconcile() reconcile(_object: Deployment): void {}\n}\n`,
    });
    commit(project);
    expect(await fails(project, 'delete', 'api', 'Shop')).toContain(
      'src/shop.controller.ts:31 declares Other too; move it to its own module',
    );
  });

  it('refuses the storage version and a version that others are converted to', async () => {
    project = await createdProject();
    await runs(project, 'create', 'version', 'Shop', 'v1', '--storage');
    commit(project);
    expect(await fails(project, 'delete', 'api', 'Shop/v1')).toContain(
      'ShopV1 is the storage version; set storage: true in another version',
    );
    expect(await fails(project, 'delete', 'api', 'Shop/v1alpha1')).toContain('src/shop-v1.ts:3 imports from ./shop.ts');
  });

  it('deletes nothing that git could not restore', async () => {
    project = await createdProject();
    await runs(project, 'create', 'api', 'Voucher');
    expect(await fails(project, 'delete', 'api', 'Voucher')).toBe(
      'error: samples/voucher.yaml, src/voucher.controller.ts, src/voucher.test.ts, src/voucher.ts: have changes that git has not committed; commit them, or pass --force to delete them [uncommitted-changes]',
    );
    commit(project);
    await project.write({ 'samples/voucher.yaml': `${await project.read('samples/voucher.yaml')}# mine\n` });
    expect(await fails(project, 'delete', 'api', 'Voucher')).toContain('error: samples/voucher.yaml: has changes');
    expect(await project.run('delete', 'api', 'Voucher', '--dry-run')).toMatchObject({ exitCode: 1 });
  });

  it.each([
    ['Cart', 'no class of the project declares the kind Cart'],
    ['Shop/v9', 'Shop has no version v9; it has v1alpha1'],
    ['a/b/c', 'a/b/c: invalid name; write KIND or KIND/VERSION'],
  ])('rejects %s', async (name, message) => {
    project = await createdProject();
    expect(await fails(project, 'delete', 'api', name)).toContain(message);
  });
});
