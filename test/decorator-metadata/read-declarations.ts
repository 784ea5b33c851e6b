// Prints as JSON what the framework reads from a compiled module. compilers.test.ts runs it in a separate process for
// each compiler, so that no run sees the classes of another.
import { pathToFileURL } from 'node:url';
import {
  type AnyClass,
  type ConcreteClass,
  controllerDecorators,
  declarationsOf,
  isMetadataClass,
  type MetadataClass,
} from '@evenkeel/core';
import { createManager } from '@evenkeel/runtime';
import {
  ClassSources,
  customResourceDefinitionYaml,
  customResourcesIn,
  type Finding,
  findingText,
  generateCustomResourceDefinitions,
  OxcSourceReader,
} from '@evenkeel/schema';
import { ImportGraph } from '../../packages/cli/src/load/import-graph.ts';
import { registerTypescriptHooks } from '../../packages/cli/src/load/typescript-hooks.ts';

// If the module is TypeScript, this compiles it.
registerTypescriptHooks(new ImportGraph(), () => false);
const url = pathToFileURL(process.argv[2] ?? '').href;
const exports = (await import(url)) as Readonly<
  Record<'Site' | 'Base' | 'SiteController' | 'PlainController' | 'BackupService', AnyClass>
>;
const sources = await ClassSources.read([url], { reader: new OxcSourceReader() });
const { definitions, findings } = await generateCustomResourceDefinitions([exports.Site], sources);
const controllers = {
  Base: exports.Base,
  SiteController: exports.SiteController,
  PlainController: exports.PlainController,
};
const unreachable = { request: () => Promise.reject(new Error('no request is allowed')), close: async () => {} };
const { controllers: made } = (
  await createManager({
    transport: unreachable,
    controllers: [exports.SiteController, exports.PlainController] as unknown as ConcreteClass[],
    services: [exports.BackupService as ConcreteClass],
  })
).health;

const vocabularyUrl = new URL(url.replace(/site(?=\.fixture)/, 'vocabulary')).href;
const vocabulary = (await import(vocabularyUrl)) as Readonly<Record<string, AnyClass>>;
const described = await generateCustomResourceDefinitions(customResourcesIn(vocabulary), {
  sources: await ClassSources.read([vocabularyUrl], { reader: new OxcSourceReader() }),
});

const read = {
  site: declarationsOf(exports.Site),
  controllers: Object.fromEntries(Object.entries(controllers).map(([name, type]) => [name, controllerOf(type)])),
  /** That is, all parameters of their constructors were found. */
  made: made.map(({ name }) => name),
  definitions: definitions.map(customResourceDefinitionYaml),
  findings: findings.map(placeless),
  vocabulary: {
    declarations: Object.fromEntries(Object.entries(vocabulary).map(([name, type]) => [name, declarationsOf(type)])),
    definitions: described.definitions.map(customResourceDefinitionYaml),
    findings: described.findings.map(placeless),
  },
};
process.stdout.write(JSON.stringify(read, asData));

/** Returns the declarations of a class and the parameters of its constructor. */
function controllerOf(type: AnyClass): object {
  const declarations = declarationsOf(type);
  const names = [...controllerDecorators.map(({ record }) => record.name), 'listers' as const];
  const said = Object.fromEntries(names.map((name) => [name, declarations[name]]));
  const own = Reflect.getOwnMetadata('design:paramtypes', type) as (AnyClass | undefined)[] | undefined;
  const injected = own?.map((parameter) => parameter?.name);
  return { ...said, injected };
}

function placeless(finding: Finding): string {
  return findingText(finding).replace(/^.*\/(?=(?:site|vocabulary)\.fixture)/, '');
}

/** Converts maps to lists, classes to their names, and thunks to their results. */
function asData(_key: string, value: unknown): unknown {
  if (value instanceof Map) return [...value];
  if (typeof value !== 'function') return value;
  if (value.prototype !== undefined) return `class ${value.name}`;
  const given = value() as AnyClass | MetadataClass;
  return `thunk of ${isMetadataClass(given) ? `metadata of ${given.metadataOf.name}` : given.name}`;
}
