import { Project } from '../project.fixture.ts';

const head = `import { CustomResource, KubernetesObject, Spec } from 'evenkeel';
import { Max } from 'class-validator';
`;

/** A kind with the hub v2 and a version v1, and its operator. */
function project({
  conversion = "{ hub: () => Site, moves: { 'spec.colour': 'spec.color' } }",
  conversions = '[OldSite]',
} = {}) {
  return {
    'evenkeel.config.ts':
      "export default { apis: ['./src/api/*.ts'], operator: './src/operator.ts', rbac: { namespace: 'web' }, conversionTest: './src/conversion.test.ts' };",
    'src/operator.ts': `import { Controller, defineOperator, Reconcile } from 'evenkeel';
import { OldSite } from './api/old-site.ts';
import { Site } from './api/site.ts';
@Controller(Site)
class SiteController {
  @Reconcile() reconcile(_site: Site): void {}
}
export const operator = defineOperator({ name: 'sites', controllers: [SiteController], conversions: ${conversions} });
`,
    'src/api/site.ts': `${head}
export class SiteSpec {
  color?: string;
  @Max(9) size?: number;
}
@CustomResource({ group: 'web.example.com', version: 'v2', storage: true })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
}
`,
    'src/api/old-site.ts': `${head}import { Site } from './site.ts';
export class OldSiteSpec {
  colour?: string;
  @Max(9) size?: number;
}
@CustomResource({ group: 'web.example.com', version: 'v1', kind: 'Site', conversion: ${conversion} })
export class OldSite extends KubernetesObject {
  @Spec() spec!: OldSiteSpec;
}
`,
  };
}

let at: Project;
beforeEach(async () => {
  at = await Project.create(project());
});
afterEach(() => at.remove());

/** The lines of errors. */
async function errors(files: Record<string, string>): Promise<string[]> {
  await at.write(files);
  const { err } = await at.run('generate');
  return err.split('\n').filter((line) => line.startsWith('error'));
}

describe('a kind with a conversion', () => {
  it("has the Service of the operator's webhook server in its CRD", async () => {
    expect(await at.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    expect(await at.read('config/crd/web.example.com_sites.yaml')).toContain(`
  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service:
          name: sites-webhook
          namespace: web
          path: /convert
      conversionReviewVersions:
        - v1
`);
  });

  it('has a generated test of its conversions, for the test runner of the project', async () => {
    await at.run('generate');
    const text = await at.read('src/conversion.test.ts');
    expect(text).toBe(`// Made by "evenkeel generate" from the classes of the API: change those, not this.

import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { verifyConversion } from '@evenkeel/testing';
import { describe, it } from '@jest/globals';
import { OldSite } from './api/old-site.ts';
import { Site } from './api/site.ts';

const modules = [new URL('./api/old-site.ts', import.meta.url).href, new URL('./api/site.ts', import.meta.url).href];

describe('the conversion of Site', () => {
  const definition = async () =>
    customResourceDefinitionOf([OldSite, Site], { sources: await readSources(modules) });

  it('loses nothing between v1 and v2', async () => {
    verifyConversion(await definition(), OldSite);
  }, 60_000);
});
`);
    expect((await at.run('generate', '--check')).exitCode).toBe(0);
    await at.write({ 'package.json': '{ "type": "module", "devDependencies": { "vitest": "^5.0.0" } }' });
    expect((await at.run('generate', '--check')).exitCode).toBe(1);
    await at.run('generate');
    expect(await at.read('src/conversion.test.ts')).toBe(text.replace("'@jest/globals'", "'vitest'"));
  });

  it('has no test of a version whose losses are accepted', async () => {
    await at.write(project({ conversion: "{ hub: () => Site }, lossy: 'nobody uses v1'" }));
    expect((await at.run('generate')).exitCode).toBe(0);
    await expect(at.read('src/conversion.test.ts')).rejects.toThrow('ENOENT');
  });

  it('must be converted by the operator', async () => {
    expect(await errors(project({ conversions: '[]' }))).toEqual([
      'error: src/api/old-site.ts:9: OldSite: it declares a conversion, but the operator does not convert it; add it to defineOperator(), as in conversions: [OldSite] [invalid-conversion]',
    ]);
    expect(await errors(project({ conversions: "['OldSite'] as never" }))).toContainEqual(
      expect.stringMatching(/^error: src\/operator\.ts:\d+: .*"conversions" is invalid: entry 1 of 1 is a string/),
    );
  });

  it('is rejected with the line of its class', async () => {
    expect(
      await errors(project({ conversion: "{ hub: () => Site, moves: { 'spec.colours': 'spec.color' } } as never" })),
    ).toEqual([
      'error: src/api/old-site.ts:9: OldSite: @CustomResource: conversion: moves: spec.colours: spec.color: v1 (OldSite) has no field "colours"; did you mean "colour"? [invalid-conversion]',
    ]);
  });

  it.each(["''", "'./src/conversion.json'", 'true'])('rejects conversionTest: %s', async (option) => {
    const files = { 'evenkeel.config.ts': `export default { apis: ['./src/api/*.ts'], conversionTest: ${option} };` };
    expect(await errors(files)).toContainEqual(
      expect.stringContaining(
        "conversionTest must be the path of a TypeScript module to write, such as './src/conversion.test.ts'",
      ),
    );
  });
});
