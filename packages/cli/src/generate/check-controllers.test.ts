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

  it('is told what its constructor, and those of the services it asks for, cannot be given, by generate and by dev', async () => {
    await project.write({
      'src/dns.ts': `import { Client } from 'evenkeel';
import { injectable } from 'inversify';
export class Unlisted {}
@injectable()
export class Dns { constructor(client: Client, unlisted: Unlisted) {} }
export class DnsError extends Error { constructor(readonly dns: string) { super(dns); } }
`,
      'src/index.ts': "export { Dns, DnsError } from './dns.ts';\n",
    });
    const config = `export default { apis: ['./src/site.ts'], controllers: ['./src/site.controller.ts'], services: ['./src/index.ts'] };`;
    const controller = (parameters: string) => `import { controllerFor, Lister, ListerOf, Logger } from 'evenkeel';
import { inject } from 'inversify';
import { Dns, Unlisted } from './dns.ts';
${head}interface Prices {}
@Controller(Site)
@Owns(ConfigMap)
export class SiteController {
  constructor(${parameters}) {}
  @Reconcile() reconcile(): void {}
}
`;
    const good = '@ListerOf(ConfigMap) maps: Lister<ConfigMap>, logger: Logger';
    const wrong = `${controller(`${good}, dns: Dns, prices: Prices, @ListerOf(Secret) secrets: Lister<Secret>, unlisted: Unlisted`)}
@Controller(Site, { name: 'named' })
export class OnlyTheContainerKnows {
  constructor(@inject('name') name: string, prices: Prices) {}
  @Reconcile() reconcile(): void {}
}
export const byFunctions = controllerFor(Site, { name: 'functions' }).inject({ unlisted: Unlisted }).reconcile(() => {});
`;
    const { exitCode, err } = await said(wrong, config);
    const at = 'error: src/site.controller.ts:9: SiteController:';
    const of = (code: string) => ` [${code}]`;
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: [
        `error: src/dns.ts:5: Dns: parameter 2 of its constructor is a Unlisted, which is not provided; add Unlisted to a module of "services" in the configuration${of('parameter-not-injectable')}`,
        `${at} parameter 4 of its constructor has an interface, a union or \`any\` as its type, which does not exist at run time; use a class as its type${of('parameter-not-injectable')}`,
        `${at} @ListerOf at parameter 5 asks for Secret, which no controller reconciles, owns or watches; add @Owns or @Watches for it, or read it with the Client${of('kind-not-cached')}`,
        `${at} parameter 6 of its constructor is a Unlisted, which is not provided; add Unlisted to a module of "services" in the configuration${of('parameter-not-injectable')}`,
        `error: src/site.controller.ts:19: controllerFor(Site, "functions"): "unlisted" of .inject is a Unlisted, which is not provided; add Unlisted to a module of "services" in the configuration${of('parameter-not-injectable')}`,
        '5 errors; nothing is written',
      ],
    });
    const { exitCode: ofDev, told } = await project.process('dev', '--once');
    expect({ exitCode: ofDev, told: told.trimEnd().split('\n') }).toEqual({ exitCode: 1, told: err.slice(0, -1) });
    expect(await said(controller(good), config)).toEqual({ exitCode: 0, err: [] });
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
