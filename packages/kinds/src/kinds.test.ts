import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { apiResource, Condition, KubernetesObject } from '@evenkeel/core';
import { CoreEvent, Deployment, Event, PodTemplateSpec, schemaDefinition, schemaDefinitionOf } from './index.ts';

const repository = join(import.meta.dirname, '../../..');

/** Returns the modules of the repository that a program loads, by their paths. */
function modulesLoadedBy(specifier: string): string[] {
  const program = `
    import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
    await import(${JSON.stringify(specifier)});
    console.log(JSON.stringify(urls));`;
  const options = ['--no-warnings', '--conditions=evenkeel-source', '--input-type=module', '--eval', program];
  const output = execFileSync(process.execPath, options, { cwd: join(repository, 'packages/kinds'), encoding: 'utf8' });
  return (JSON.parse(output) as string[]).map((url) => url.slice(url.indexOf('/packages/') + 1));
}

describe('a kind class', () => {
  it('contains only its resource and its definition', () => {
    expect(Deployment[apiResource]).toEqual({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      plural: 'deployments',
      namespaced: true,
    });
    expect(Reflect.ownKeys(new Deployment())).toEqual([]);
    expect(new Deployment()).toBeInstanceOf(KubernetesObject);
  });

  it('is named CoreEvent for the Event of the core group', () => {
    expect(CoreEvent[apiResource]).toMatchObject({ group: '', kind: 'Event' });
    expect(Event[apiResource]).toMatchObject({ group: 'events.k8s.io', kind: 'Event' });
  });

  it('has types that accept and reject the same objects as its OpenAPI schema', () => {
    const options =
      '--ignoreConfig --noEmit --strict --noUncheckedIndexedAccess --target es2023 --module nodenext --skipLibCheck ' +
      '--allowImportingTsExtensions --verbatimModuleSyntax --experimentalDecorators --types node ' +
      '--customConditions evenkeel-source packages/kinds/src/kinds.fixture.ts';
    const compiler = join(repository, 'node_modules/typescript/bin/tsc');
    let errors = '';
    try {
      execFileSync(process.execPath, [compiler, ...options.split(' ')], { cwd: repository, encoding: 'utf8' });
    } catch (error) {
      errors = (error as { stdout: string }).stdout;
    }
    // The tests of other packages check their sources.
    expect(errors.split('\n').filter((line) => line.startsWith('packages/kinds/'))).toEqual([]);
  });
});

describe('schemaDefinitionOf()', () => {
  it('returns the definition of kinds, of reusable types and of Condition', () => {
    expect(schemaDefinitionOf(Deployment)).toBe('io.k8s.api.apps.v1.Deployment');
    expect(schemaDefinitionOf(PodTemplateSpec)).toBe('io.k8s.api.core.v1.PodTemplateSpec');
    expect(schemaDefinitionOf(Condition)).toBe('io.k8s.apimachinery.pkg.apis.meta.v1.Condition');
  });

  it('returns nothing for a class that extends a built-in type', () => {
    class Template extends PodTemplateSpec {}
    expect(Template[schemaDefinition]).toBe('io.k8s.api.core.v1.PodTemplateSpec');
    expect(schemaDefinitionOf(Template)).toBeUndefined();
  });
});

describe('importing', () => {
  it('one group version loads no other group version, and no schemas', () => {
    const modules = modulesLoadedBy('@evenkeel/kinds/apps/v1').filter((path) => path.startsWith('packages/kinds/'));
    expect(modules).toEqual([
      'packages/kinds/src/generated/kinds/apps/v1.ts',
      'packages/kinds/src/schema-definition.ts',
    ]);
  });

  it('the flat index loads neither schemas, discovery nor descriptions', () => {
    const modules = modulesLoadedBy('@evenkeel/kinds');
    expect(modules).toContain('packages/kinds/src/generated/kinds/core/v1.ts');
    expect(modules.filter((path) => /schemas|discovery\.ts|descriptions|built-in-kinds/.test(path))).toEqual([]);
  });

  it('schemas, discovery and descriptions loads no kinds, no definitions and not the core package', () => {
    const modules = ['schemas', 'discovery', 'descriptions'].flatMap((path) =>
      modulesLoadedBy(`@evenkeel/kinds/${path}`),
    );
    expect([...new Set(modules.filter((path) => path.includes('generated')))]).toEqual([
      'packages/kinds/src/generated/schemas/index.ts',
      'packages/kinds/src/generated/discovery.ts',
      'packages/kinds/src/generated/descriptions/index.ts',
    ]);
    expect(modules.filter((path) => path.startsWith('packages/core/'))).toEqual([]);
  });
});
