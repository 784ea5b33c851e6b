// Prints as JSON the names of the CRDs of the classes in a TypeScript module, and their errors and notices.
import { pathToFileURL } from 'node:url';
import {
  ClassSources,
  customResourcesIn,
  findingText,
  generateCustomResourceDefinitions,
  OxcSourceReader,
} from '@evenkeel/schema';
import { ImportGraph } from '../../packages/cli/src/load/import-graph.ts';
import { registerTypescriptHooks } from '../../packages/cli/src/load/typescript-hooks.ts';

registerTypescriptHooks(new ImportGraph(), () => false);
const url = pathToFileURL(process.argv[2] ?? '').href;
const sources = await ClassSources.read([url], { reader: new OxcSourceReader() });
const { definitions, findings } = await generateCustomResourceDefinitions(customResourcesIn(await import(url)), {
  sources,
});
process.stdout.write(
  JSON.stringify({
    errors: findings.filter(({ level }) => level === 'error').map(findingText),
    notices: findings.filter(({ level }) => level === 'notice').map(findingText),
    definitions: definitions.map(({ metadata }) => metadata.name),
  }),
);
