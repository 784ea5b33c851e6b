import { Project } from '../project.fixture.ts';

/** Two versions of a kind in two modules, with other fields each. */
function versions(lossy = ''): Record<string, string> {
  const head =
    "import { CustomResource, KubernetesObject, Spec } from '@evenkeel/core';\nimport { Max } from 'class-validator';\n";
  return {
    'evenkeel.config.ts': "export default { apis: ['./src/*.ts'], deployment: false };",
    'src/site.ts': `${head}
export class SiteSpec {
  color?: string;
  @Max(9) size?: number;
}
@CustomResource({ group: 'web.example.com', version: 'v1', storage: true })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
`,
    'src/old-site.ts': `${head}
export class OldSiteSpec {
  colour?: string;
  @Max(5) size?: number;
}
@CustomResource({ group: 'web.example.com', version: 'v1beta1', kind: 'Site'${lossy} })
export class OldSite extends KubernetesObject {
  @Spec() spec!: OldSiteSpec;
}
`,
  };
}

const expected = [
  "error: src/old-site.ts:9: OldSite: objects of Site lose data or become invalid between versions, because no conversion is declared; declare the same fields and constraints in all versions, declare a conversion with conversion: { hub: () => Site } in @CustomResource of OldSite, or accept this with lossy: { versions: { 'spec.color': '<reason>', 'spec.size': '<reason>', 'spec.colour': '<reason>' } } in @CustomResource of OldSite [lossy-versions]",
  '    src/site.ts:5: v1 to v1beta1: spec.color is lost, because v1beta1 does not have it',
  '    src/old-site.ts:6: v1 to v1beta1: spec.size can be invalid, because maximum is 5 in v1beta1 and 9 in v1 (see src/site.ts:6)',
  '    src/old-site.ts:5: v1beta1 to v1: spec.colour is lost, because v1 does not have it',
];

let project: Project;
beforeEach(async () => {
  project = await Project.create(versions());
});
afterEach(() => project.remove());

describe('versions between which objects lose data', () => {
  it('are one error of "evenkeel generate" with the lines of the fields, and no CRD is written', async () => {
    const { exitCode, out, err } = await project.run('generate');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err.split('\n').filter((line) => !line.startsWith('notice'))).toEqual(expected);
    await expect(project.read('config/crd/web.example.com_sites.yaml')).rejects.toThrow('ENOENT');
  });

  it('are listed in the report for programs, with relative paths', async () => {
    const { out } = await project.run('generate', '--output', 'json');
    const { findings } = JSON.parse(out) as { findings: { code: string; details?: object[] }[] };
    const [finding] = findings.filter(({ code }) => code === 'lossy-versions');
    expect(finding?.details).toHaveLength(3);
    expect(finding?.details?.[1]).toEqual({
      message: 'v1 to v1beta1: spec.size can be invalid, because maximum is 5 in v1beta1 and 9 in v1',
      location: { file: 'src/old-site.ts', line: 6 },
      related: { file: 'src/site.ts', line: 6 },
    });
  });

  it('are the same error of "evenkeel dev", which installs nothing', async () => {
    const { exitCode, output } = await project.process('dev', '--once');
    expect(exitCode).toBe(1);
    expect(output.split('\n')).toEqual(expect.arrayContaining(expected));
  });

  it('are accepted with a reason for each field, which a notice shows with what happens to it', async () => {
    const reasons = "{ 'spec.color': 'it is new', 'spec.size': 'it is small', 'spec.colour': 'nobody set it' }";
    await project.write(versions(`, lossy: { versions: ${reasons} }`));
    const { exitCode, out, err } = await project.run('generate');
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: 'config/crd/web.example.com_sites.yaml written' });
    expect(err).toContain(
      `notice: src/old-site.ts:9: OldSite: objects of Site lose data or become invalid between v1 and v1beta1, which lossy accepts [lossy-versions]
${expected[1]}; accepted: it is new
${expected[2]?.replace(' (see', '; accepted: it is small (see')}
${expected[3]}; accepted: nobody set it`,
    );
  });

  it('name the class whose @Scale requires more of a field, and the field', async () => {
    const site = (
      type: string,
      options: string,
      scale: string,
    ) => `import { CustomResource, KubernetesObject, Scale, Spec, Status } from '@evenkeel/core';
import { IsInt, IsString } from 'class-validator';
export class ${type}Spec {
  @IsInt() replicas?: number;
}
export class ${type}Status {
  @IsInt() replicas?: number;
  @IsString() selector?: string;
}
@CustomResource({ group: 'web.example.com', ${options} })
${scale}export class ${type} extends KubernetesObject {
  @Spec() spec!: ${type}Spec;
  @Status() status!: ${type}Status;
}
`;
    const paths =
      "specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.status.selector'";
    await project.write({
      'src/site.ts': site('Site', "version: 'v1', storage: true", `@Scale({ ${paths} })\n`),
      'src/old-site.ts': site('OldSite', "version: 'v1beta1', kind: 'Site'", ''),
    });
    const { exitCode, err } = await project.run('generate');
    expect(exitCode).toBe(1);
    const detail = (field: string, line: number) =>
      `    src/site.ts:12: v1beta1 to v1: ${field} can be invalid, because @Scale of v1 names it and requires an integer from 0 to 2147483647, which v1beta1 does not ensure (see src/old-site.ts:${line})`;
    expect(err.split('\n').filter((line) => line.startsWith('    '))).toEqual([
      detail('spec.replicas', 4),
      detail('status.replicas', 7),
    ]);
  });
});
