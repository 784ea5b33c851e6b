import { Project } from '../project.fixture.ts';

const site = (index: string, { declares = "@Index('host')", more = '' } = {}): Record<string, string> => ({
  'src/site.controller.ts': `import { Controller, Index, ListerOf, type Lister, Reconcile, Watches, ConfigMap, Metadata, ObjectKey } from 'evenkeel';
import { Site } from './site.ts';
@Controller(Site)
export class SiteController {
  constructor(@ListerOf(Site) readonly sites: Lister<Site>) {}
  @Reconcile() reconcile(): void {}
  ${declares} hostOf({ metadata }: Site): string[] { return [metadata.name]; }
  @Watches(Metadata(ConfigMap), { wholeCluster: true })
  onConfigMap(map: Metadata<ConfigMap>): ObjectKey[] {
    return this.sites.byIndex(${index}, String(map.metadata.name)).map(ObjectKey.of);
  }
  ${more}
}
`,
});

describe('a read of an index', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create({
      'evenkeel.config.ts':
        "export default { apis: ['./src/site.ts'], operator: './src/operator.ts', deployment: false };",
      'src/operator.ts': `import { defineOperator } from 'evenkeel';
import { SiteController } from './site.controller.ts';
export const operator = defineOperator({ name: 'sites', namespaces: ['default'], controllers: [SiteController] });
`,
      'src/site.ts': `import { CustomResource, KubernetesObject } from 'evenkeel';
@CustomResource({ group: 'web.example.com', version: 'v1' })
export class Site extends KubernetesObject {}
`,
      'src/other.ts': "export const table = { byIndex: (name: string) => name };\ntable.byIndex('elsewhere');\n",
    });
  });
  afterAll(() => project.remove());

  async function errors(files: Record<string, string>): Promise<string[]> {
    await project.write(files);
    const { exitCode, err } = await project.run('generate');
    const found = err.split('\n').filter((line) => line.startsWith('error: '));
    expect(exitCode).toBe(found.length > 0 ? 1 : 0);
    return found;
  }

  it('is an error of generate if no controller declares the index', async () => {
    const fix =
      "write @Index('hosts') on a method of the controller that returns the values of an object [unknown-index]";
    const at = "error: src/site.controller.ts:10: byIndex('hosts'): no controller of the operator declares this index";
    expect(await errors(site("'hosts'"))).toEqual([`${at}; did you mean "host"?; ${fix}`]);
    expect(await errors(site("'hosts'", { declares: '' }))).toEqual([`${at}; ${fix}`]);
  });

  it.each<[string, Record<string, string>]>([
    ['a controller declares it', site("'host'")],
    ['its name is not a literal', site("'ho' + 'sts'")],
    [
      'another object has a method of this name',
      {
        ...site("'host'"),
        'src/operator.ts': `import { defineOperator } from 'evenkeel';
import { table } from './other.ts';
import { SiteController } from './site.controller.ts';
table.byIndex('elsewhere');
export const operator = defineOperator({ name: 'sites', namespaces: ['default'], controllers: [SiteController] });
`,
      },
    ],
    [
      'the code adds indexes itself',
      site("'hosts'", { more: "add(cache: { addIndex(name: string): void }) { cache.addIndex('hosts'); }" }),
    ],
    [
      'the code adds indexes with names that are not known',
      site("'hosts'", { more: 'add(cache: { addIndex(name: string): void }, name: string) { cache.addIndex(name); }' }),
    ],
  ])('is no error if %s', async (_when, files) => {
    expect(await errors(files)).toEqual([]);
  });
});
