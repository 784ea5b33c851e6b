// Prints, as JSON, what the framework reads from a compiled module. Run by compilers.test.ts in a process of its own for
// each compiler, so that no run sees the classes of another.
import { pathToFileURL } from 'node:url';
import { type AnyClass, declarationsOf } from '@evenkeel/core';
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

// Where the module is TypeScript, this compiles it.
registerTypescriptHooks(new ImportGraph());
const url = pathToFileURL(process.argv[2] ?? '').href;
const exports = (await import(url)) as { Site: AnyClass; SiteController: AnyClass };
const sources = await ClassSources.read([url], { reader: new OxcSourceReader() });
const { definitions, findings } = await generateCustomResourceDefinitions([exports.Site], sources);
const parameters = Reflect.getMetadata('design:paramtypes', exports.SiteController) as AnyClass[];

const vocabularyUrl = new URL(url.replace(/site(?=\.fixture)/, 'vocabulary')).href;
const vocabulary = (await import(vocabularyUrl)) as Readonly<Record<string, AnyClass>>;
const described = await generateCustomResourceDefinitions(customResourcesIn(vocabulary), {
  sources: await ClassSources.read([vocabularyUrl], { reader: new OxcSourceReader() }),
});

const read = {
  site: declarationsOf(exports.Site),
  controller: declarationsOf(exports.SiteController),
  injected: parameters.map((type) => type.name),
  definitions: definitions.map(customResourceDefinitionYaml),
  findings: findings.map(placeless),
  vocabulary: {
    declarations: Object.fromEntries(Object.entries(vocabulary).map(([name, type]) => [name, declarationsOf(type)])),
    definitions: described.definitions.map(customResourceDefinitionYaml),
    findings: described.findings.map(placeless),
  },
};
process.stdout.write(JSON.stringify(read, asData));

function placeless(finding: Finding): string {
  return findingText(finding).replace(/^.*\/(?=(?:site|vocabulary)\.fixture)/, '');
}

/** Maps as lists; classes by their names; a thunk by what it stands for. */
function asData(_key: string, value: unknown): unknown {
  if (value instanceof Map) return [...value];
  if (typeof value !== 'function') return value;
  return value.prototype === undefined ? `thunk of ${(value() as AnyClass).name}` : `class ${value.name}`;
}
