import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../../test/imports.fixture.ts';
import { Project } from '../project.fixture.ts';
import { scoredShop } from '../scorecard/scored-shop.fixture.ts';
import type { CapabilityDocument } from './capability.ts';

const bundle = join(root, 'packages/olm/src/validate/recorded/base');

const shop = `import { IsInt } from 'class-validator';
import { CustomResource, KubernetesObject, Spec, Status } from 'evenkeel';
export class ShopSpec {
  /** How many pods sell. */
  @IsInt() size = 1;
}
export class ShopStatus {
  @IsInt() ready = 0;
}
@CustomResource({ group: 'example.com', version: 'v1', kind: 'Shop' })
export class Shop extends KubernetesObject {
  @Spec() spec!: ShopSpec;
  @Status() status!: ShopStatus;
}
`;

function report(...tests: readonly (readonly [title: string, status: string])[]): string {
  const assertionResults = tests.map(([title, status]) => ({ ancestorTitles: ['a shop'], title, status }));
  return JSON.stringify({ startTime: 1_000_000, testResults: [{ name: 'src/shop.test.ts', assertionResults }] });
}

describe('evenkeel capability', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create({
      'evenkeel.config.ts': "export default { apis: ['./src/shop.ts'] };\n",
      'src/shop.ts': shop,
      'config/alerts.yaml':
        'kind: PrometheusRule\nspec: {groups: [{rules: [{alert: ShopDown, labels: {severity: critical}}]}]}\n',
      'config/broken.yaml': 'a: [',
      '.evenkeel/tests.json': report(['restores [capability 3.2]', 'failed'], ['sells', 'passed']),
    });
  });
  afterAll(() => project.remove());

  async function questions(...options: readonly string[]): Promise<Record<string, string>> {
    const { out } = await project.run('capability', ...options, '--no-run', '--output', 'json');
    const document = JSON.parse(out) as CapabilityDocument;
    return Object.fromEntries(
      document.questions.map(({ question, answer, evidence }) => [
        question,
        [answer, ...evidence.map(({ source, fact }) => `${source}: ${fact}`)].join('; '),
      ]),
    );
  }

  it('answers by the classes, the manifests and the last report of the tests', async () => {
    expect(await questions()).toMatchObject({
      '1.1': 'yes; class: Shop v1: spec.size',
      '1.8': 'yes; class: Shop v1: status.ready',
      '1.10': 'unknown',
      '3.2': 'no; test: "a shop restores" in src/shop.test.ts failed',
      '4.2': 'yes; alert: ShopDown in config/alerts.yaml',
    });
  });

  it('answers by what the operator creates for the samples', async () => {
    const shops = await scoredShop();
    await shops.write({ 'tests.json': report() });
    const { out } = await shops.run('capability', '--tests', 'tests.json');
    await shops.remove();
    for (const fact of [
      'object: Shop sample: Available was False, then True',
      'object: Deployment sample, container shop has no livenessProbe',
      'object: the operator created no PodDisruptionBudget for Shop sample',
    ]) {
      expect(out).toContain(fact);
    }
  });

  it('prints what is missing for the next level, and the manifest that it could not read', async () => {
    const { exitCode, out, err } = await project.run('capability');
    expect(exitCode).toBe(0);
    expect(out).toContain(
      'Level shown: none\nFor level 1, Basic Install:\n  1.4   declare a field "image" in the spec',
    );
    expect(err).toMatch(/^notice: config\/broken\.yaml: not read: /m);
  });

  it('compares the level with the claim of a bundle', async () => {
    const { exitCode, err } = await project.run('capability', '--no-run', '--bundle', bundle);
    expect(exitCode).toBe(1);
    expect(err).toContain(
      'error: the ClusterServiceVersion claims level 2, Seamless Upgrades, but the evidence shows no level; add what is missing, or lower the annotation "capabilities" [capability-not-shown]',
    );
  });

  it('uses no results of tests that have changed since the run', async () => {
    const file = join(project.folder, 'shop.test.ts');
    const changed = report(['restores [capability 3.2]', 'passed']).replace('src/shop.test.ts', file);
    await project.write({ 'shop.test.ts': '', 'changed.json': changed });
    await utimes(file, 900, 900);
    expect(await questions('--tests', 'changed.json')).toMatchObject({
      '3.2': 'yes; test: "a shop restores" in shop.test.ts passed',
    });
    await utimes(file, 1001, 1001);
    const { out, err } = await project.run('capability', '--no-run', '--tests', 'changed.json');
    expect(err).toContain('notice: shop.test.ts has changed since the run in changed.json');
    expect(out).toMatch(/unknown {2}3\.2/);
  });

  it('answers by the bundle alone where there is no project', async () => {
    const elsewhere = await Project.create({});
    const { out } = await elsewhere.run('capability', '--bundle', bundle);
    await elsewhere.remove();
    expect(out).toContain('class: Widget v1alpha1: spec.size');
    expect(out).toContain('bundle: spec.relatedImages: acme/widgets-operator:v0.2.0');
  });

  it.each([
    [
      'a missing bundle',
      ['--bundle', 'none'],
      'error: none: the folder does not exist; pass the folder of a bundle [bundle-unreadable] [invalid-bundle]',
    ],
    ['a missing report', ['--tests', 'none.json'], 'error: none.json: ENOENT'],
    [
      'a file that is no report',
      ['--tests', 'package.json'],
      'error: package.json: it has no list "testResults"; write it with',
    ],
  ])('rejects %s', async (_, options, message) => {
    const { exitCode, err } = await project.run('capability', ...options);
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining(message) });
  });
});
