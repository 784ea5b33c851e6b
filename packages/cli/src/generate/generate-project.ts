import { relative } from 'node:path';
import {
  customResourceDefinitionFileName,
  customResourceDefinitionYaml,
  definitionFieldsModule,
} from '@evenkeel/schema';
import { rbacOf } from '../load/load-rbac-config.ts';
import type { ModuleLoader } from '../load/module-loader.ts';
import type { GeneratedFile, GenerationAnswer, GenerationRequest, ReportedFinding } from './generation.ts';
import { loadProject, type ProjectContents } from './load-project.ts';
import { previousDefinitions } from './previous-definitions.ts';
import { rbacFiles } from './rbac-files.ts';
import { hasErrors } from './report.ts';

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

async function filesOf(
  { config, definitions, operator }: ProjectContents,
  findings: readonly ReportedFinding[],
): Promise<GeneratedFile[]> {
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
  const roles =
    config.rbac === undefined || operator?.declaration === undefined || hasErrors(findings)
      ? []
      : await rbacFiles(operator.plans, operator.services, rbacOf(operator.declaration, config.rbac));
  return [...crds, ...fields, ...roles];
}
