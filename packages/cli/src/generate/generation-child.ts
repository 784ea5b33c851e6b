// The program of the process that loads the user's modules. It answers one request and is then killed: what the modules
// started may never end by itself.
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EvenkeelError } from '@evenkeel/core';
import {
  ClassSources,
  customResourceDefinitionFileName,
  customResourceDefinitionYaml,
  customResourcesIn,
  type Finding,
  generateCustomResourceDefinitions,
  OxcSourceReader,
} from '@evenkeel/schema';
import { ImportGraph } from '../load/import-graph.ts';
import { checkConfig } from '../load/load-config.ts';
import { loadFailure } from '../load/load-failure.ts';
import { registerTypescriptHooks } from '../load/typescript-hooks.ts';
import type { GenerationAnswer, GenerationRequest } from './generation.ts';

process.once('message', async (request: GenerationRequest) => {
  process.send?.(await answer(request));
});

async function answer({ configPath }: GenerationRequest): Promise<GenerationAnswer> {
  try {
    return await generate(configPath);
  } catch (error) {
    const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
    const cause = error instanceof Error && error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : '';
    const code = error instanceof EvenkeelError ? error.code : '';
    return { error: { code, message, stack: stack + cause } };
  }
}

async function generate(configPath: string): Promise<GenerationAnswer> {
  const graph = new ImportGraph();
  registerTypescriptHooks(graph);
  const load = async (url: string): Promise<Readonly<Record<string, unknown>>> => {
    try {
      return await import(url);
    } catch (error) {
      throw loadFailure(url, error, graph, dirname(configPath));
    }
  };
  const config = checkConfig(configPath, (await load(pathToFileURL(configPath).href))['default']);
  const findings: Finding[] = [];
  const classes = new Set<ReturnType<typeof customResourcesIn>[number]>();
  for (const url of config.apis) {
    const found = customResourcesIn(await load(url));
    for (const type of found) classes.add(type);
    if (found.length === 0) findings.push(nothingToGenerate(url));
  }
  const sources = await ClassSources.read(config.apis, { reader: new OxcSourceReader(), importModule: load });
  const generation = await generateCustomResourceDefinitions([...classes], sources);
  findings.push(...generation.findings);
  return {
    files: generation.definitions.map((definition) => ({
      name: `crd/${customResourceDefinitionFileName(definition)}`,
      text: customResourceDefinitionYaml(definition),
    })),
    findings,
    output: config.output,
  };
}

function nothingToGenerate(url: string): Finding {
  return {
    level: 'error',
    code: 'missing-custom-resource',
    className: '',
    location: { file: fileURLToPath(url), line: 1 },
    message: `it exports no class with @CustomResource; add @CustomResource({ group, version }) above the class, export it, or take the module out of "apis"`,
  };
}
