import { relative } from 'node:path';
import { type KindClass, resourceOf } from '@evenkeel/core';
import { certificateObjects } from '@evenkeel/core/certificates';
import {
  customResourceDefinitionFileName,
  customResourceDefinitionYaml,
  definitionFieldsModule,
} from '@evenkeel/schema';
import type { LoadedConfig } from '../load/load-config.ts';
import { namespaceOf, rbacOf } from '../load/load-rbac-config.ts';
import type { ModuleLoader } from '../load/module-loader.ts';
import type { CheckedOperator } from './check-operator.ts';
import { conversionTestModule } from './conversion-test.ts';
import type { GeneratedFile, GenerationAnswer, GenerationRequest, ReportedFinding } from './generation.ts';
import { loadProject, type ProjectContents } from './load-project.ts';
import { previousDefinitions } from './previous-definitions.ts';
import { rbacFiles } from './rbac-files.ts';
import { hasErrors } from './report.ts';
import { testRunnerOf } from './test-runner.ts';
import { webhookFiles } from './webhook-files.ts';

/**
 * Loads the modules of a configuration and generates the files of their classes, without writing them. Does not throw
 * for mistakes of the user; it returns all of them as findings.
 *
 * @param progress is called with a description of each next step.
 */
export async function generateProject(
  request: GenerationRequest,
  loader: ModuleLoader,
  progress: (doing: string) => void,
): Promise<GenerationAnswer> {
  const { findings, contents, timings } = await loadProject(request, loader, progress, previousDefinitions);
  if (contents === undefined) return { files: [], findings, timings: { ...timings, yamlMs: 0 } };
  const started = performance.now();
  const files = await filesOf(contents, findings);
  const yamlMs = performance.now() - started;
  return { files, findings, output: contents.config.output, timings: { ...timings, yamlMs } };
}

async function filesOf(contents: ProjectContents, findings: readonly ReportedFinding[]): Promise<GeneratedFile[]> {
  const { config, definitions, operator } = contents;
  const crds = definitions.map((definition) => ({
    name: `crd/${customResourceDefinitionFileName(definition)}`,
    text: customResourceDefinitionYaml(definition),
    options: ['output', 'apis'] as const,
  }));
  const fields =
    config.fields === undefined
      ? []
      : [
          {
            name: relative(config.output, config.fields),
            text: definitionFieldsModule(definitions),
            options: ['fields'] as const,
          },
        ];
  const ofOperator = operator === undefined || hasErrors(findings) ? [] : await operatorFiles(config, operator);
  return [...crds, ...fields, ...conversionTestOf(contents), ...ofOperator];
}

/** The roles of an operator, and what makes the API server call its webhooks. */
async function operatorFiles(config: LoadedConfig, operator: CheckedOperator): Promise<GeneratedFile[]> {
  const { declaration, webhooks } = operator;
  if (declaration === undefined) return [];
  const { name, conversions = [], webhookServer = {} } = declaration;
  const namespace = namespaceOf(config);
  const isCertified =
    webhooks.length + conversions.length > 0 && (webhookServer.certificates ?? 'built-in') === 'built-in';
  const certificates = isCertified
    ? certificateObjects({
        name,
        namespace,
        webhooks,
        conversions: conversions.map((type) => resourceOf(type as KindClass)),
      })
    : undefined;
  const roles =
    config.rbac === undefined ? [] : await rbacFiles(operator, rbacOf(declaration, config.rbac), certificates);
  return [...roles, ...(await webhookFiles(declaration, webhooks, namespace))];
}

/** The tests of conversions; none if the configuration has no path for them, or if no version declares a conversion. */
function conversionTestOf({ config, modules, classes }: ProjectContents): GeneratedFile[] {
  const { conversionTest: path, apis, folder, output, generation } = config;
  if (path === undefined) return [];
  const text = conversionTestModule(classes, {
    path,
    runner: testRunnerOf(folder),
    modules: new Map([...modules].filter(([url]) => apis.includes(url))),
    validator: generation.validator,
  });
  return text === undefined ? [] : [{ name: relative(output, path), text, options: ['conversionTest'] }];
}
