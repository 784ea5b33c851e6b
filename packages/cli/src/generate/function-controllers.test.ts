import { Project } from '../project.fixture.ts';

const decorated = `
import { IsInt, Max, Min } from 'class-validator';
import { CustomResource, KubernetesObject, PrinterColumn, Spec, Status } from 'evenkeel';

export class SiteSpec {
  /** How many visitors at once. */
  @IsInt() @Min(1) @Max(100) visitors = 10;
}

export class SiteStatus {
  @IsInt() @Min(0) @Max(100) online?: number;
}

/** A web site. */
@CustomResource({ group: 'web.example.com', version: 'v1' })
@PrinterColumn({ name: 'Online', type: 'integer', jsonPath: '.status.online' })
@PrinterColumn({ name: 'Visitors', type: 'integer', jsonPath: '.spec.visitors' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
  @Status() status!: SiteStatus;
}
`;

/** The same without decorator syntax, because every decorator is also a function. */
const called = `
import { IsInt, Max, Min } from 'class-validator';
import { CustomResource, KubernetesObject, PrinterColumn, Spec, Status } from 'evenkeel';

export class SiteSpec {
  /** How many visitors at once. */
  visitors = 10;
}
for (const is of [Max(100), Min(1), IsInt()]) is(SiteSpec.prototype, 'visitors');

export class SiteStatus {
  online?: number;
}
for (const is of [Max(100), Min(0), IsInt()]) is(SiteStatus.prototype, 'online');

/** A web site. */
export class Site extends KubernetesObject {
  spec!: SiteSpec;
  status!: SiteStatus;
}
Spec()(Site.prototype, 'spec');
Status()(Site.prototype, 'status');
PrinterColumn({ name: 'Visitors', type: 'integer', jsonPath: '.spec.visitors' })(Site);
PrinterColumn({ name: 'Online', type: 'integer', jsonPath: '.status.online' })(Site);
CustomResource({ group: 'web.example.com', version: 'v1' })(Site);
`;

const config = "export default { apis: ['./src/site.ts'], operator: './src/operator.ts' };";

const operator = `import { defineOperator } from 'evenkeel';
import { siteController } from './site.controller.ts';
export const operator = defineOperator({ name: 'sites', controllers: [siteController] });
`;

const controller = `
import { ConfigMap, controllerFor } from 'evenkeel';
import { Site } from './site.ts';

export const siteController = controllerFor(Site)
  .owns(ConfigMap)
  .reconcile(function publish() {});
`;

const crd = 'config/crd/web.example.com_sites.yaml';

describe('evenkeel generate for controllers declared by functions', () => {
  let project: Project;

  afterEach(() => project.remove());

  it('writes the same files as for decorators', async () => {
    project = await Project.create({
      'evenkeel.config.ts': config,
      'src/operator.ts': operator,
      'src/site.ts': decorated,
      'src/site.controller.ts': controller,
    });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0 });
    const written = await project.read(crd);
    await project.write({ 'src/site.ts': called });
    expect(await project.run('generate', '--check')).toMatchObject({ exitCode: 0, err: '' });
    expect(await project.read(crd)).toBe(written);
    expect(written).toContain('description: How many visitors at once.');
  });

  it('uses only the classes of the declaration, and not all that its modules export', async () => {
    project = await Project.create({
      'evenkeel.config.ts': config,
      'src/operator.ts': operator
        .replace('import {', "import { Prices } from './prices.ts';\nimport {")
        .replace(' });', ', services: [Prices] });'),
      'src/site.ts': decorated,
      'src/site.controller.ts': controller,
      'src/prices.ts': `
import { Controller, Owns, Rbac, Reconcile, Secret } from 'evenkeel';
import { Site } from './site.ts';

export class Prices {}

@Controller(Site)
@Owns(Secret)
@Rbac(Secret, ['deletecollection'])
export class SiteController {
  @Reconcile() reconcile(): void {}
}
`,
    });
    expect(await project.run('generate')).toMatchObject({ exitCode: 0 });
    const role = await project.read('config/rbac/role.yaml');
    expect(role).toContain('configmaps');
    expect(role).not.toContain('secrets');
  });

  it('reports mistakes with the line of the controllerFor call', async () => {
    project = await Project.create({
      'evenkeel.config.ts': config,
      'src/operator.ts': operator,
      'src/site.ts': decorated,
      'src/site.controller.ts': controller
        .replace('.owns(ConfigMap)', ".owns(ConfigMap)\n  .every('5ms')")
        .replace(
          'export const',
          '/** Says nothing,\n * at length. */\ninterface Erased {\n  a: string;\n}\n\nexport type Also = Erased;\n\nexport const',
        ),
    });
    const { exitCode, err } = await project.run('generate');
    expect(exitCode).toBe(1);
    expect(err).toContain(
      'error: src/site.controller.ts:13: controllerFor(Site).publish: the period of .every is 5ms; use at least 1s [invalid-option]',
    );
  });
});
