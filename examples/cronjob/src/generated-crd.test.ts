import { readFile } from 'node:fs/promises';
import {
  ClassSources,
  customResourceDefinitionFileName,
  customResourceDefinitionYaml,
  customResourcesIn,
  generateCustomResourceDefinitions,
  OxcSourceReader,
} from '@evenkeel/schema';

const url = new URL('./cron-job.ts', import.meta.url).href;

describe('config/crd', () => {
  it('is what the class says now; mend it with "npx evenkeel generate"', async () => {
    const sources = await ClassSources.read([url], { reader: new OxcSourceReader(), importModule: (it) => import(it) });
    const { definitions, findings } = await generateCustomResourceDefinitions(
      customResourcesIn(await import(url)),
      sources,
    );
    expect(findings).toEqual([]);
    const [definition] = definitions;
    if (definition === undefined) throw new Error('no CRD was made');
    const file = new URL(`../config/crd/${customResourceDefinitionFileName(definition)}`, import.meta.url);
    expect(customResourceDefinitionYaml(definition)).toBe(await readFile(file, 'utf8'));
  });
});
