import { Project } from '../project.fixture.ts';

const head = "import { CustomResource, KubernetesObject, Spec } from 'evenkeel';\n";
const lossy = ", lossy: { versions: { 'spec.port': 'v1alpha1 ends soon' } }";

/** Two versions of a kind. `old` and `current` are fields of v1alpha1 and of v1, the storage version. */
function site(old: string, current: string, options = lossy): Record<string, string> {
  return {
    'src/site.ts': `${head}export class SiteSpec {
  color?: string;
  ${old}
}
@CustomResource({ group: 'web.example.com', version: 'v1alpha1'${options} })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
`,
    'src/site-v1.ts': `${head}export class SiteV1Spec {
  color?: string;
  ${current}
}
@CustomResource({ group: 'web.example.com', version: 'v1', kind: 'Site', storage: true })
export class SiteV1 extends KubernetesObject {
  @Spec() spec!: SiteV1Spec;
}
`,
  };
}

/** An operator whose classes use a class of the kind, in one module. */
const operator = (type: string, classes: string, lists: string) => ({
  'evenkeel.config.ts': `export default { apis: ['./src/site.ts', './src/site-v1.ts'], operator: './src/operator.ts', deployment: false };`,
  'src/operator.ts': `import { Admit, ConfigMap, Controller, defineOperator, ListerOf, MutatingWebhook, Owns, Rbac, Reconcile, ValidatingWebhook, Watches } from 'evenkeel';
import { Site } from './site.ts';
import { SiteV1 } from './site-v1.ts';
${classes.replaceAll('TYPE', type)}
export const operator = defineOperator({ name: 'sites', namespaces: ['default'], conversions: [], ${lists} });
void [Admit, ConfigMap, Controller, ListerOf, MutatingWebhook, Owns, Rbac, Reconcile, Site, SiteV1, ValidatingWebhook, Watches];
`,
});

const controller = `@Controller(TYPE)
export class SiteController {
  @Reconcile() async reconcile(): Promise<void> {}
}`;
/** Each of these writes in another way. */
const writers = `@Rbac(TYPE, ['get', 'patch'])
export class SiteService {}
@Controller(ConfigMap, { wholeCluster: true })
@Owns(TYPE)
export class SiteOwner {
  @Reconcile() async reconcile(): Promise<void> {}
}
@MutatingWebhook(TYPE)
export class SiteDefaults {
  @Admit() set(): void {}
}`;
const listed = 'controllers: [SiteOwner], services: [SiteService], webhooks: [SiteDefaults]';
const readers = `@Rbac(TYPE, ['get', 'delete'])
@Controller(ConfigMap, { wholeCluster: true })
export class SiteReader {
  @Reconcile() async reconcile(): Promise<void> {}
  @Watches(TYPE) onSite(): [] { return []; }
}
@ValidatingWebhook(TYPE)
export class SiteChecks {
  @Admit() check(): void {}
}`;

let project: Project;
beforeEach(async () => {
  project = await Project.create(site('', 'port?: number;'));
});
afterEach(() => project.remove());

async function errors(): Promise<string[]> {
  const { err, exitCode } = await project.run('generate');
  const found = err.split('\n').filter((line) => line.startsWith('error: '));
  expect(exitCode).toBe(found.length > 0 ? 1 : 0);
  return found;
}

describe('an operator that writes through a version that lacks fields of the storage version', () => {
  it('is an error at the controller of "evenkeel generate" and of "evenkeel dev", although lossy accepts the loss', async () => {
    await project.write(operator('Site', controller, 'controllers: [SiteController]'));
    const error =
      'error: src/operator.ts:5: SiteController: it reconciles v1alpha1 of Site; its own writes drop spec.port from every object; use SiteV1 (v1) instead [lossy-writes]';
    expect(await errors()).toEqual([error]);
    const { exitCode, output } = await project.process('dev', '--once');
    expect(exitCode).toBe(1);
    expect(output.split('\n')).toContain(error);
    await project.write(operator('SiteV1', controller, 'controllers: [SiteController]'));
    expect(await errors()).toEqual([]);
  });

  it('is an error at @Owns and @Rbac too, but not at declarations that only read', async () => {
    await project.write(operator('Site', writers, listed));
    expect(await errors()).toEqual([
      "error: src/operator.ts:5: SiteService: @Rbac(Site, ['patch']) is for v1alpha1; these writes drop spec.port from every object; use SiteV1 (v1) instead [lossy-writes]",
      'error: src/operator.ts:8: SiteOwner: @Owns(Site) applies v1alpha1; these writes drop spec.port from every object; use SiteV1 (v1) instead [lossy-writes]',
    ]);
    await project.write(operator('Site', readers, 'controllers: [SiteReader], webhooks: [SiteChecks]'));
    expect(await errors()).toEqual([]);
  });

  it('is an error at a mutating webhook if a conversion drops the fields, unless only its own version matches', async () => {
    const options = `${lossy}, conversion: { hub: () => SiteV1, omit: { hub: ['spec.port'] } }`;
    const { 'src/site.ts': converted = '', ...others } = site('', 'port?: number;', options);
    await project.write({ ...others, 'src/site.ts': `import { SiteV1 } from './site-v1.ts';\n${converted}` });
    const webhook = writers.slice(writers.indexOf('@MutatingWebhook'));
    const listing = 'controllers: [], webhooks: [SiteDefaults], conversions: [Site]';
    const serving = (classes: string) => {
      const files = operator('Site', classes, listing);
      return { ...files, 'src/operator.ts': files['src/operator.ts'].replace('conversions: [], ', '') };
    };
    await project.write(serving(webhook));
    expect(await errors()).toEqual([
      'error: src/operator.ts:5: SiteDefaults: it changes objects of v1 in v1alpha1; these changes drop spec.port from every object; use SiteV1 (v1) instead [lossy-writes]',
    ]);
    await project.write(serving(webhook.replace('(TYPE)', "(TYPE, { matchPolicy: 'Exact' })")));
    expect(await errors()).toEqual([]);
  });

  it('is allowed if fields are lost only in the other direction, because they are never stored', async () => {
    await project.write({
      ...site('port?: number;', ''),
      ...operator('Site', controller, 'controllers: [SiteController]'),
    });
    expect(await errors()).toEqual([]);
  });
});
