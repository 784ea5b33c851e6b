import { Project } from '../project.fixture.ts';

const files = {
  'evenkeel.config.ts': "export default { apis: ['./src/site.ts'], operator: './src/operator.ts' };",
  'src/operator.ts': `import { defineOperator } from 'evenkeel';
import * as controllers from './site.controller.ts';
export const operator = defineOperator({ name: 'sites', controllers: Object.values(controllers) });
`,
  'src/site.ts': `import { CustomResource, KubernetesObject } from 'evenkeel';
@CustomResource({ group: 'web.example.com', version: 'v1' })
export class Site extends KubernetesObject {}
`,
};
const crd = 'config/crd/web.example.com_sites.yaml';

const head = `import { ConfigMap, Controller, Metadata, Owns, Reconcile, Secret, Watches } from 'evenkeel';
import { Site } from './site.ts';
`;

describe('a controller with a mistake', () => {
  let project: Project;
  beforeEach(async () => {
    project = await Project.create(files);
  });
  afterEach(() => project.remove());

  async function findings(controller: string, operator?: string): Promise<{ exitCode: number; err: string[] }> {
    await project.write({
      'src/site.controller.ts': controller,
      ...(operator === undefined ? {} : { 'src/operator.ts': operator }),
    });
    const { exitCode, err } = await project.run('generate');
    return { exitCode, err: err === '' ? [] : err.split('\n') };
  }

  it('is reported by generate and by dev if its decorator has no parentheses', async () => {
    const finding =
      'error: src/site.controller.ts:4: SiteController: @Controller has no effect without parentheses; write @Controller(YourKind) [decorator-not-called]';
    const controller = `${head}@Controller\nexport class SiteController {\n  @Reconcile() reconcile(): void {}\n}\n`;
    expect(await findings(controller)).toEqual({ exitCode: 1, err: [finding] });
    const { exitCode, output } = await project.process('dev', '--once');
    expect({ exitCode, output }).toEqual({
      exitCode: 1,
      output: expect.stringContaining('@Controller has no effect without'),
    });
  });

  it('is listed after the mistake of the class that causes it', async () => {
    await project.write({ 'src/site.ts': files['src/site.ts'].replace(/@CustomResource\(.*\n/, '') });
    const controller = `${head}@Controller(Site)\nexport class SiteController {\n  @Reconcile() reconcile(): void {}\n}\n`;
    expect((await findings(controller)).err).toEqual([
      expect.stringMatching(/^error: src\/site\.ts:2: Site: it extends KubernetesObject but has no @CustomResource; /),
      expect.stringMatching(
        /^error: src\/site\.controller\.ts:4: SiteController: @Controller: Site is used as a kind /,
      ),
      '2 errors; no file was written',
    ]);
  });

  it('is reported if it names a kind by a string', async () => {
    const controller = `${head}@Controller(Site)\n@Owns('ConfigMap' as never)\nexport class SiteController {\n  @Reconcile() reconcile(): void {}\n}\n`;
    expect(await findings(controller)).toEqual({
      exitCode: 1,
      err: [
        'error: src/site.controller.ts:5: SiteController: the kind of @Owns is the string "ConfigMap", not a class; pass the class, imported from "evenkeel" or from your own module [invalid-option]',
      ],
    });
  });

  it('is reported if its kind is imported as a type', async () => {
    for (const [statement, line] of [
      ["import type { Site } from './site.ts';", 2],
      ["import {\n  type Site,\n} from './site.ts';", 2],
    ] as const) {
      const controller = `import { Controller, Reconcile } from 'evenkeel';\n${statement}\n\n@Controller(Site)\nexport class SiteController {\n  @Reconcile() reconcile(): void {}\n}\n`;
      const { exitCode, err } = await findings(controller);
      expect({ exitCode, err }).toEqual({
        exitCode: 1,
        err: [
          expect.stringMatching(
            `^error: src/site.controller.ts:\\d+: src/operator.ts did not load: Site is not defined: line ${line} imports it as a type, and types do not exist at run time; remove the word "type" there \\[module-not-loaded\\]$`,
          ),
        ],
      });
    }
  });

  it('is reported by generate and by dev if a parameter of its constructor, or of the constructor of a service, has no provider', async () => {
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
    const operator = files['src/operator.ts']
      .replace('import {', "import { Dns } from './index.ts';\nimport {")
      .replace(' });', ', services: [Dns] });');
    const controller = (parameters: string) => `import { controllerFor, Lister, ListerOf, Logger } from 'evenkeel';
import { inject, optional } from 'inversify';
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
  constructor(@inject('name') @optional() name: string, prices: Prices) {}
  @Reconcile() reconcile(): void {}
}
export const byFunctions = controllerFor(Site, { name: 'functions' }).inject({ unlisted: Unlisted }).reconcile(() => {});
@Controller(Site, { name: 'identified' })
export class Wanting {
  constructor(@inject('name') name: string) {}
  @Reconcile() reconcile(): void {}
}
`;
    const { exitCode, err } = await findings(wrong, operator);
    const at = 'error: src/site.controller.ts:9: SiteController:';
    const of = (code: string) => ` [${code}]`;
    expect({ exitCode, err }).toEqual({
      exitCode: 1,
      err: [
        `${at} parameter 4 of its constructor has an interface, a union, \`any\` or a class imported with "import type" as its type, which does not exist at run time; import the class without "type", use a class as its type, or write @Inject(theToken) before it${of('parameter-not-injectable')}`,
        `${at} @ListerOf at parameter 5 asks for Secret, which no controller reconciles, owns or watches; add @Owns or @Watches for it, or read it with the Client${of('kind-not-cached')}`,
        `${at} parameter 6 of its constructor is a Unlisted, which is not provided; add Unlisted to \`services\`, or { provide: Unlisted, useClass: ... } if it is abstract${of('parameter-not-injectable')}`,
        `error: src/site.controller.ts:19: controllerFor(Site, "functions"): "unlisted" of .inject is a Unlisted, which is not provided; add Unlisted to \`services\`, or { provide: Unlisted, useClass: ... } if it is abstract${of('parameter-not-injectable')}`,
        `error: src/site.controller.ts:21: Wanting: parameter 1 of its constructor asks for "name", which is not provided; add a provider for it to \`services\`, such as { provide: theToken, useValue: ... }${of('parameter-not-injectable')}`,
        `error: src/dns.ts:5: Dns: parameter 2 of its constructor is a Unlisted, which is not provided; add Unlisted to \`services\`, or { provide: Unlisted, useClass: ... } if it is abstract${of('parameter-not-injectable')}`,
        '6 errors; no file was written',
      ],
    });
    const { exitCode: ofDev, output } = await project.process('dev', '--once');
    expect({ exitCode: ofDev, output: output.trimEnd().split('\n') }).toEqual({
      exitCode: 1,
      output: err.slice(0, -1),
    });
    expect(await findings(controller(good), operator)).toEqual({ exitCode: 0, err: [] });
  });

  it('is reported by generate and by dev if a service that it creates is abstract', async () => {
    await project.write({
      'src/dns.ts': `export abstract class Dns { abstract add(host: string): string; }
export abstract class Cloud extends Dns {}
export class CloudDns extends Cloud { add(host: string): string { return host; } }
`,
    });
    const operator = (services: string) =>
      files['src/operator.ts']
        .replace('import {', "import { Cloud, CloudDns, Dns } from './dns.ts';\nvoid [Cloud, CloudDns, Dns];\nimport {")
        .replace(' });', `, services: [${services}] });`);
    const controller = `import { Dns } from './dns.ts';
${head}@Controller(Site)
export class SiteController {
  constructor(dns: Dns) {}
  @Reconcile() reconcile(): void {}
}
`;
    const advice = (name: string) =>
      `${name}: it is abstract, so \`services\` cannot create it; write { provide: ${name}, useClass: ... } with a class that extends it [invalid-provider]`;
    expect(await findings(controller, operator('Dns'))).toEqual({
      exitCode: 1,
      err: [`error: src/dns.ts:1: ${advice('Dns')}`],
    });
    const { exitCode, output } = await project.process('dev', '--once');
    expect({ exitCode, output: output.trimEnd() }).toEqual({
      exitCode: 1,
      output: `error: src/dns.ts:1: ${advice('Dns')}`,
    });
    expect(await findings(controller, operator('{ provide: Dns, useClass: Cloud }'))).toEqual({
      exitCode: 1,
      err: [`error: src/dns.ts:2: ${advice('Cloud')}`],
    });
    expect(await findings(controller, operator('{ provide: Dns, useClass: CloudDns }'))).toEqual({
      exitCode: 0,
      err: [],
    });
  });

  it('gets providers, lists of services and inversify modules of its declaration', async () => {
    const ports = `import { Inject, Logger, provider, ReconcileContext, Secret, Rbac, token } from 'evenkeel';
import { ContainerModule, injectable } from 'inversify';
export const url = token<string>('url');
export abstract class Dns { abstract add(host: string): string; }
@Rbac(Secret, ['get'], { reason: 'the key of the zone' })
@injectable()
export class CloudDns extends Dns {
  constructor(@Inject(url) readonly url: string) { super(); }
  add(host: string): string { return this.url + host; }
}
export class Visit { constructor(readonly of: string) {} }
export class Unused { constructor(readonly port: number) {} }
`;
    await project.write({
      'src/ports.ts': ports,
      'src/services.ts': `import { provider, ReconcileContext } from 'evenkeel';
import { CloudDns, Dns, url, Visit } from './ports.ts';
export const services = [
  CloudDns,
  provider({ provide: Dns, useClass: CloudDns }),
  provider({ provide: url, useFactory: async () => 'https://dns/' }),
];
export const visit = provider({
  provide: Visit, scope: 'run', inject: [ReconcileContext], useFactory: ({ key }) => new Visit(String(key)),
});
`,
      'src/module.ts': `import { ContainerModule } from 'inversify';
import { Unused } from './ports.ts';
export const module = new ContainerModule(({ bind }) => { bind(Unused).toConstantValue(new Unused(7)); });
`,
      'sample.yaml': 'apiVersion: web.example.com/v1\nkind: Site\nmetadata: { name: a }\n',
    });
    const controller = `${head}import { ReconcileContext } from 'evenkeel';
import { Dns, Visit } from './ports.ts';
@Controller(Site)
export class SiteController {
  constructor(readonly dns: Dns) {}
  @Reconcile() reconcile(_site: Site, _context: ReconcileContext, visit: Visit): void {
    console.log(\`visited \${this.dns.add(visit.of)}\`);
  }
}
`.replaceAll('\\`', '`');
    await project.write({
      'evenkeel.config.ts':
        "export default { apis: ['./src/site.ts'], operator: './src/operator.ts', samples: ['./sample.yaml'] };",
    });
    const operator = (...services: readonly string[]) => `import { defineOperator } from 'evenkeel';
import { module } from './module.ts';
import { services, visit } from './services.ts';
import { SiteController } from './site.controller.ts';
export const operator = defineOperator({ name: 'site', controllers: [SiteController], services: [${services.join()}] });
`;
    expect(await findings(controller, operator('...services', 'visit', 'module'))).toEqual({
      exitCode: 0,
      err: [],
    });
    expect(await project.read('config/rbac/role.yaml')).toContain('the key of the zone');
    const { exitCode, output } = await project.process('dev', '--once');
    expect({ exitCode, output }).toEqual({
      exitCode: 0,
      output: expect.stringContaining('visited https://dns/default/a'),
    });
    // A module of inversify may provide what is missing, so only the start can report it.
    expect(await findings(controller, operator('module'))).toEqual({ exitCode: 0, err: [] });
    const add = (name: string) =>
      `add ${name} to \`services\`, or { provide: ${name}, useClass: ... } if it is abstract [parameter-not-injectable]`;
    expect((await findings(controller, operator())).err.slice(0, -1)).toEqual([
      `error: src/site.controller.ts:6: SiteController: parameter 1 of its constructor is a Dns, which is not provided; ${add('Dns')}`,
      `error: src/site.controller.ts:6: SiteController.reconcile: parameter 3 is a Visit, which is not provided; ${add('Visit')}`,
    ]);
  });

  it('gets a notice about a watch that a manager for the whole cluster rejects, unless its roles are for namespaces', async () => {
    const controller = `${head}
@Controller(Site)
export class SiteController {
  @Reconcile() reconcile(): void {}
  @Watches(ConfigMap) onConfigMap(): [] { return []; }
  @Watches(Metadata(Secret)) onSecret(): [] { return []; }
  @Watches(Secret, { labels: { site: '' } }) onOurs(): [] { return []; }
}
`;
    const { exitCode, err } = await findings(controller);
    expect({ exitCode, err }).toEqual({
      exitCode: 0,
      err: [
        'notice: src/site.controller.ts:5: SiteController: @Watches(ConfigMap) on onConfigMap caches every object of the kind in the cluster, so a run without the setting "namespaces" fails at its start; write @Watches(Metadata(ConfigMap)) and read single objects with the Client, select with { labels }, or write { wholeCluster: true } if this is intended [whole-cluster-watch]',
      ],
    });
    expect(await project.read(crd)).toContain('sites.web.example.com');
    const inNamespaces = files['src/operator.ts'].replace(' });', ", namespaces: ['one'] });");
    expect(await findings(controller, inNamespaces)).toEqual({ exitCode: 0, err: [] });
    const selected = files['src/operator.ts']
      .replace('import {', "import { ConfigMap } from 'evenkeel';\nimport {")
      .replace(' });', ", cache: [{ kind: ConfigMap, labels: { site: '' } }] });");
    expect(await findings(controller, selected)).toEqual({ exitCode: 0, err: [] });
  });

  it('is not needed for an error of the declaration, which has the line of defineOperator()', async () => {
    const controller = `${head}@Controller(Site)\nexport class SiteController {\n  @Reconcile() reconcile(): void {}\n}\n`;
    const wrong = files['src/operator.ts'].replace("name: 'sites'", "name: 'Sites', servcies: [], services: [7]");
    expect(await findings(controller, wrong)).toEqual({
      exitCode: 1,
      err: [
        'error: src/operator.ts:3: defineOperator(): unknown option "servcies"; did you mean "services"? [unknown-option]',
        `error: src/operator.ts:3: defineOperator(): name is "Sites"; set a name of lower-case letters, digits, '-' and '.', such as 'nginx-operator' [invalid-option]`,
        'error: src/operator.ts:3: defineOperator(): the option "services" is invalid: entry 1 of 1 is a number; pass the class itself [invalid-option]',
        '3 errors; no file was written',
      ],
    });
  });

  it.each([
    [
      'no operator',
      'export const operators = {};',
      'it exports no operator; write "export const operator = defineOperator({ name, controllers })"',
    ],
    [
      'two operators',
      `${files['src/operator.ts']}export const other = defineOperator({ name: 'other', controllers: [] });`,
      'it exports 2 operators; write a module and a configuration for each',
    ],
  ])('is not looked for in a module with %s', async (_what, operator, message) => {
    expect(await findings('export {};', operator)).toEqual({
      exitCode: 1,
      err: [`error: src/operator.ts:1: ${message} [operator-not-declared]`],
    });
  });
});

describe('a configuration that declares the operator itself', () => {
  it('is rejected with the code to write instead, which works', async () => {
    const controller = `${head}import { Prices } from './prices.ts';
@Controller(Site)
export class SiteController {
  constructor(readonly prices: Prices) {}
  @Reconcile() reconcile(): void {}
}
`;
    const project = await Project.create({
      'package.json': '{ "name": "@acme/sites", "type": "module" }',
      'src/site.ts': files['src/site.ts'],
      'src/site.controller.ts': controller,
      'src/prices.ts': `import { injectable } from 'inversify';
export class PricesError extends Error {}
@injectable()
export class Prices {}
`,
      'src/main.ts': '',
      'evenkeel.config.ts': `export default {
  apis: ['./src/site.ts'], controllers: ['./src/*.controller.ts'], services: ['./src/prices.ts'], fields: './src/fields.ts',
  rbac: { namespace: 'a', namespaces: ['b'], leaderElection: { name: 'sites' } },
};
`,
    });
    try {
      const { exitCode, err } = await project.run('generate');
      expect(exitCode).toBe(1);
      expect(
        err,
      ).toBe(`error: evenkeel.config.ts: "controllers", "services", "rbac.namespaces", "rbac.leaderElection" belong to the operator's declaration, which the program uses too; write it once: [operator-not-declared]
    // src/operator.ts
    import { defineOperator } from 'evenkeel';
    import { SiteController } from './site.controller.ts';
    import { Prices } from './prices.ts';

    export const operator = defineOperator({
      name: 'sites',
      controllers: [SiteController],
      services: [Prices],
      namespaces: ['b'],
      leaderElection: { name: 'sites' },
    });

    // evenkeel.config.ts, with its other options
    export default defineConfig({ apis: ['./src/site.ts'], operator: './src/operator.ts', deployment: { namespace: 'a' } });

    // src/main.ts, with the options that are known only at run time
    import { operator } from './operator.ts';
    await Manager.run(operator, { fields });`);
      const { output } = await project.process('dev', '--once');
      expect(output.trimEnd()).toBe(err);

      const [, operator = '', config = ''] =
        /\/\/ src\/operator.ts\n(.*)\/\/ evenkeel.config.ts, .*?\n(.*?)\n\n/s.exec(err) ?? [];
      await project.write({
        'src/operator.ts': operator,
        'evenkeel.config.ts': `import { defineConfig } from '@evenkeel/cli/config';\n${config}`,
      });
      expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
      expect(await project.read('config/rbac/leader_election_role.yaml')).toContain('sites');
    } finally {
      await project.remove();
    }
  });

  it.each([
    ["{ namespace: 'a', serviceAccount: 'b' }", "{ namespace: 'a', serviceAccount: 'b' }"],
    ['false', 'false'],
    ['{}', '{}'],
  ])('is rejected if it has the option rbac as %s', async (rbac, deployment) => {
    const project = await Project.create({ 'evenkeel.config.ts': `export default { apis: [], rbac: ${rbac} };` });
    try {
      expect(await project.run('generate')).toEqual({
        exitCode: 1,
        out: '',
        err: `error: evenkeel.config.ts: "rbac" is now "deployment"; write deployment: ${deployment} instead [invalid-config]`,
      });
    } finally {
      await project.remove();
    }
  });
});
