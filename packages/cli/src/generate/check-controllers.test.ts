import { Project } from '../project.fixture.ts';

const files = {
  'evenkeel.config.ts': "export default { apis: ['./src/site.ts'], controllers: ['./src/site.controller.ts'] };",
  'src/site.ts': `import { CustomResource, KubernetesObject } from 'evenkeel';
@CustomResource({ group: 'web.example.com', version: 'v1' })
export class Site extends KubernetesObject {}
`,
};
const crd = 'config/crd/web.example.com_sites.yaml';

const head = `import { ConfigMap, Controller, Metadata, Owns, Reconcile, Secret, Watches } from 'evenkeel';
import { Site } from './site.ts';
`;

describe('a controller of which generate has something to say', () => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.create(files);
  });
  afterEach(() => project.remove());

  async function said(controller: string, config?: string): Promise<{ exitCode: number; err: string[] }> {
    await project.write({
      'src/site.controller.ts': controller,
      ...(config === undefined ? {} : { 'evenkeel.config.ts': config }),
    });
    const { exitCode, err } = await project.run('generate');
    return { exitCode, err: err === '' ? [] : err.split('\n') };
  }

  it('is told where its decorator has no parentheses, by generate and by dev', async () => {
    const finding =
      'error: src/site.controller.ts:4: SiteController: @Controller is written without parentheses; write @Controller(YourKind) [decorator-not-called]';
    const controller = `${head}@Controller\nexport class SiteController {\n  @Reconcile() reconcile(): void {}\n}\n`;
    expect(await said(controller)).toEqual({ exitCode: 1, err: [finding] });
    const { exitCode, told } = await project.process('dev', '--once');
    expect({ exitCode, told }).toEqual({
      exitCode: 1,
      told: expect.stringContaining('@Controller is written without'),
    });
  });

  it('is told where it names a kind by a text', async () => {
    const controller = `${head}@Controller(Site)\n@Owns('ConfigMap' as never)\nexport class SiteController {\n  @Reconcile() reconcile(): void {}\n}\n`;
    expect(await said(controller)).toEqual({
      exitCode: 1,
      err: [
        'error: src/site.controller.ts:5: SiteController: @Owns was given the text "ConfigMap", which is no class; give the class itself, imported from "evenkeel" or from a module of yours [invalid-option]',
      ],
    });
  });

  it('is told where its kind is imported as a type', async () => {
    for (const [statement, line] of [
      ["import type { Site } from './site.ts';", 2],
      ["import {\n  type Site,\n} from './site.ts';", 2],
    ] as const) {
      const controller = `import { Controller, Reconcile } from 'evenkeel';\n${statement}\n\n@Controller(Site)\nexport class SiteController {\n  @Reconcile() reconcile(): void {}\n}\n`;
      const { exitCode, err } = await said(controller);
      expect({ exitCode, err }).toEqual({
        exitCode: 1,
        err: [
          expect.stringMatching(
            `^error: src/site.controller.ts:\\d+: this module did not load: Site is not defined: line ${line} imports it as a type, and types are gone when modules run; take the word "type" away there \\[module-not-loaded\\]$`,
          ),
        ],
      });
    }
  });

  it('is told in a notice of what a manager for the whole cluster refuses, unless its roles are for namespaces', async () => {
    const controller = `${head}
@Controller(Site)
export class SiteController {
  @Reconcile() reconcile(): void {}
  @Watches(ConfigMap) onConfigMap(): [] { return []; }
  @Watches(Metadata(Secret)) onSecret(): [] { return []; }
  @Watches(Secret, { labels: { site: '' } }) onOurs(): [] { return []; }
}
`;
    const { exitCode, err } = await said(controller);
    expect({ exitCode, err }).toEqual({
      exitCode: 0,
      err: [
        'notice: src/site.controller.ts:5: SiteController: @Watches(ConfigMap) on onConfigMap holds every one of the cluster in memory, which a manager without "namespaces" or a "cache" for that kind refuses at its start; write @Watches(Metadata(ConfigMap)) and read the few you need with the Client, select with { labels }, or say { wholeCluster: true } where that is meant [whole-cluster-watch]',
      ],
    });
    expect(await project.read(crd)).toContain('sites.web.example.com');
    const inNamespaces = `export default { apis: ['./src/site.ts'], controllers: ['./src/site.controller.ts'], rbac: { namespace: 'sites', namespaces: ['one'] } };`;
    expect(await said(controller, inNamespaces)).toEqual({ exitCode: 0, err: [] });
  });
});
