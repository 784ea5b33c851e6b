import { basename, relative, resolve } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import { plannedCertificates } from '@evenkeel/core/certificates';
import { defaultMinServerVersion, type WebhookPlan } from '@evenkeel/core/webhook';
import {
  customResourceDefinitionFileName,
  customResourceDefinitionYaml,
  definitionFieldsModule,
} from '@evenkeel/schema';
import type { DeploymentConfig } from '../config.ts';
import { withTagOfPackage } from '../load/image-of-package.ts';
import type { LoadedConfig } from '../load/load-config.ts';
import { namespaceOf, rbacOf } from '../load/load-deployment-config.ts';
import type { ModuleLoader } from '../load/module-loader.ts';
import { editorSchemaFiles } from '../manifests/editor-schema.ts';
import type { GeneratedFile, ManifestObject } from '../manifests/generated-file.ts';
import { installerFile } from '../manifests/installer.ts';
import { kustomizationFile } from '../manifests/kustomization.ts';
import { managerFiles, namespaceFile } from '../manifests/manager-files.ts';
import { metricsFiles } from '../manifests/metrics-files.ts';
import { networkPolicyFile } from '../manifests/network-policy.ts';
import { deploymentMistakes, hasProcess, operatorPods } from '../manifests/operator-pods.ts';
import { policyFiles } from '../manifests/policy-files.ts';
import { rbacFiles } from '../manifests/rbac-files.ts';
import { sampleFiles } from '../manifests/sample-files.ts';
import { userRoles } from '../manifests/user-roles.ts';
import { webhookFiles } from '../manifests/webhook-files.ts';
import { monitoringFiles } from '../monitoring/monitoring-files.ts';
import { monitoringMistakes } from '../monitoring/monitoring-mistakes.ts';
import type { CheckedOperator } from './check-operator.ts';
import { conversionTestModule } from './conversion-test.ts';
import type { GeneratedDeployment, GenerationAnswer, GenerationRequest, ReportedFinding } from './generation.ts';
import { loadProject, type ProjectContents } from './load-project.ts';
import { previousDefinitions } from './previous-definitions.ts';
import { hasErrors } from './report.ts';
import { testRunnerOf } from './test-runner.ts';

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
  const {
    findings: ofProject,
    contents,
    timings,
  } = await loadProject(request, loader, progress, {
    previous: previousDefinitions,
  });
  if (contents === undefined) return { files: [], findings: ofProject, timings: { ...timings, yamlMs: 0 } };
  const started = performance.now();
  const problems = await deploymentFindings(contents, request);
  const imaged = withImage(contents, request);
  const hasMistakes = hasErrors([...ofProject, ...problems]);
  if (request.bundles !== undefined) {
    const findings = [...ofProject, ...problems];
    return { files: [], ...(await bundleOf(imaged, request, findings)), timings: { ...timings, yamlMs: 0 } };
  }
  const made = await filesOf(imaged, hasMistakes);
  const { files, notices, objects } = made;
  const yamlMs = performance.now() - started;
  const findings = [...ofProject, ...problems, ...notices];
  const { output, chart } = contents.config;
  const answer = { files: files.map(withoutObjects), findings, output, chart };
  if (request.deploys === undefined || hasErrors(findings)) return { ...answer, timings: { ...timings, yamlMs } };
  return { ...answer, timings: { ...timings, yamlMs }, deployment: deploymentOf(contents, objects) };
}

/** Replaces the image of the operator by that of the request. */
function withImage(contents: ProjectContents, { deploys, bundles }: GenerationRequest): ProjectContents {
  const { config } = contents;
  const { deployment } = config;
  const image = deploys?.image ?? bundles?.image;
  if (image === undefined || deployment === undefined) return contents;
  return {
    ...contents,
    config: { ...config, deployment: { ...deployment, image: withTagOfPackage(image, config.folder) } },
  };
}

/** The bundle of a project, unless there are errors. Only `generate` reports notices about schemas. */
async function bundleOf(
  contents: ProjectContents,
  request: GenerationRequest,
  findings: readonly ReportedFinding[],
): Promise<Pick<GenerationAnswer, 'findings' | 'bundle'>> {
  if (hasErrors(findings)) return { findings };
  const { folder, bundle } = contents.config;
  try {
    const { projectBundle } = await import('../olm/project-bundle.ts');
    const made = await projectBundle(contents, request);
    return {
      findings: made.notices,
      bundle: {
        contents: made.contents,
        folder: resolve(folder, bundle?.folder ?? 'bundle'),
        channels: bundle?.channels ?? ['stable'],
        catalog: bundle?.catalog === undefined ? undefined : resolve(folder, bundle.catalog),
      },
    };
  } catch (error) {
    if (!(error instanceof EvenkeelError)) throw error;
    const { code, message } = error;
    return { findings: [{ level: 'error', code, className: '', message, text: message }] };
  }
}

/** The objects would make the message to the command twice as long. */
function withoutObjects({ objects: _, ...file }: GeneratedFile): GeneratedFile {
  return file;
}

function deploymentOf({ config, operator }: ProjectContents, objects: readonly ManifestObject[]): GeneratedDeployment {
  const { declaration, webhooks = [] } = operator ?? {};
  const { deployment } = config;
  const all = { objects, contexts: deployment?.contexts };
  if (declaration === undefined || deployment === undefined) return { ...all, operator: undefined };
  const { name, namespace, serviceAccount, leaderElection } = rbacOf(declaration, webhooks, deployment);
  const { conversions = [], minServerVersion, webhookServer } = declaration;
  const isCalled = webhooks.length + conversions.length > 0;
  return {
    ...all,
    operator: {
      ...{ name, namespace, serviceAccount, minServerVersion, leaderElection },
      hasPods: hasProcess(declaration, webhooks),
      certificates: isCalled ? plannedCertificates(webhookServer).source : undefined,
    },
  };
}

/** Files, and the findings about them. */
interface MadeFiles {
  readonly files: readonly GeneratedFile[];
  readonly notices: readonly ReportedFinding[];
  /** The objects of all manifests, in the order in which they should be applied. */
  readonly objects: readonly ManifestObject[];
}

/** @param isIncomplete whether the project has errors, so that nothing is written. */
async function filesOf(contents: ProjectContents, isIncomplete: boolean): Promise<MadeFiles> {
  const { config, definitions } = contents;
  const { output, fields } = config;
  const crds = definitions.map((definition) => ({
    name: `crd/${customResourceDefinitionFileName(definition)}`,
    text: customResourceDefinitionYaml(definition),
    objects: [definition],
    options: ['output', 'apis'] as const,
  }));
  const text = fields === undefined ? '' : definitionFieldsModule(definitions);
  const ofFields = fields === undefined ? [] : [{ name: relative(output, fields), text, options: ['fields'] as const }];
  const sources = [...crds, ...ofFields, ...conversionTestOf(contents)];
  if (isIncomplete) return { files: sources, notices: [], objects: [] };
  const { files, ...made } = await manifestsOf(contents, crds);
  return { ...made, files: [...sources, ...files] };
}

/** The inputs of the manifests. */
type Manifested = Pick<ProjectContents, 'config' | 'definitions' | 'operator'>;

/** Everything else that a cluster and its users need; only the installer if the configuration has `deployment: false`. */
async function manifestsOf(
  { config, definitions, operator }: Manifested,
  crds: readonly GeneratedFile[],
): Promise<MadeFiles> {
  const { deployment, output, installer, chart } = config;
  const installing = (manifests: readonly GeneratedFile[]) =>
    installer === undefined ? [] : [installerFile(relative(output, installer), manifests)];
  if (deployment === undefined) return { files: installing(crds), notices: [], objects: objectsOf(crds) };
  const { namespace, others } = await operatorFiles(config, deployment, operator);
  const manifests = [...(await userRoles(definitions, deployment.aggregateRoles === true)), ...others];
  const all = [...namespace, ...crds, ...manifests];
  const samples = await sampleFiles(definitions);
  return {
    files: [
      ...[...namespace, ...manifests, kustomizationFile(all), ...installing(all)],
      ...[...samples.files, ...editorSchemaFiles(definitions)],
      ...(chart === undefined ? [] : await chartOf({ config, definitions, operator }, deployment, chart)),
    ],
    notices: samples.lacking.map((kind) => withoutSample(kind)),
    objects: objectsOf(all),
  };
}

function objectsOf(manifests: readonly GeneratedFile[]): ManifestObject[] {
  return manifests.flatMap(({ objects = [] }) => objects);
}

function withoutSample(version: string): ReportedFinding {
  const message = `could not generate a valid sample of ${version}, because its rules are too complex; write one into config/samples`;
  return { level: 'notice', code: 'sample-not-made', className: '', message, text: message };
}

/** The Helm chart of the same objects. */
async function chartOf(
  { config, definitions, operator }: Manifested,
  deployment: DeploymentConfig,
  chart: string,
): Promise<readonly GeneratedFile[]> {
  const { chartFiles } = await import('../chart/chart-files.ts');
  const { folder, output } = config;
  const { declaration, webhooks = [], policies = [] } = operator ?? {};
  const runs = declaration !== undefined && hasProcess(declaration, webhooks);
  const hasWebhooks = webhooks.length + (declaration?.conversions ?? []).length > 0;
  const { aggregateRoles = false, serviceMonitor = false, networkPolicy = false } = deployment;
  const { alerts = false, dashboard = false } = deployment;
  const files = await chartFiles({
    ...{ folder, chart, definitions, aggregateRoles, serviceMonitor, networkPolicy },
    ...{ alerts: alerts !== false, dashboard: dashboard !== false },
    name: declaration?.name ?? basename(folder),
    minServerVersion: declaration?.minServerVersion ?? defaultMinServerVersion,
    namespaces: declaration?.namespaces,
    pods: runs
      ? operatorPods(declaration, webhooks, deployment, { namespace: namespaceOf(config, declaration), folder })
      : undefined,
    certificates: hasWebhooks ? plannedCertificates(declaration?.webhookServer).source : undefined,
    userRoles: (isAggregated) => userRoles(definitions, isAggregated),
    manifests: async ({ namespace, serviceAccount, replicas, roleNamespaces, selectorRequirement }) => {
      if (operator === undefined || declaration === undefined) return [];
      const limited = <T extends WebhookPlan>(plan: T): T => withRequirement(plan, selectorRequirement);
      const placed = {
        ...{ ...deployment, namespace, serviceAccount, replicas },
        ...{ networkPolicy: true, serviceMonitor: declaration.metricsAuthentication === true },
        ...{ alerts: alerts || true, dashboard: dashboard || true },
      };
      const limitedOperator = { ...operator, webhooks: webhooks.map(limited), policies: policies.map(limited) };
      const { others } = await operatorFiles(
        { ...config, deployment: placed },
        placed,
        limitedOperator,
        roleNamespaces,
      );
      return others;
    },
  });
  const place = relative(output, chart).replaceAll('\\', '/');
  return files.map(({ name, ...file }) => ({ name: `${place}/${name}`, ...file }));
}

/** The plan of a webhook whose namespace selector has one more requirement, instead of the declared namespaces. */
function withRequirement<T extends WebhookPlan>(plan: T, requirement: string): T {
  if (!plan.resource.namespaced) return plan;
  const { namespaceSelector } = plan.selection;
  const matchExpressions = [...(namespaceSelector?.matchExpressions ?? []), requirement as never];
  return {
    ...plan,
    namespaces: undefined,
    selection: { ...plan.selection, namespaceSelector: { ...namespaceSelector, matchExpressions } },
  };
}

/**
 * The files of an operator in the order in which they should be applied, and the file of its namespace, which must be applied first.
 *
 * @param namespaces the namespaces of its roles. Default: the declared ones.
 */
async function operatorFiles(
  config: LoadedConfig,
  deployment: DeploymentConfig,
  operator: CheckedOperator | undefined,
  namespaces = operator?.declaration?.namespaces,
): Promise<{ readonly namespace: readonly GeneratedFile[]; readonly others: readonly GeneratedFile[] }> {
  const { declaration, webhooks = [] } = operator ?? {};
  if (operator === undefined || declaration === undefined) return { namespace: [], others: [] };
  const policies = await policyFiles(declaration, operator.policies);
  if (!hasProcess(declaration, webhooks)) return { namespace: [], others: policies };
  const namespace = namespaceOf(config, declaration);
  const { callees, callers } = await webhookFiles(declaration, webhooks, namespace);
  const pods = operatorPods(declaration, webhooks, deployment, { namespace, folder: config.folder });
  return {
    namespace: await namespaceFile(pods),
    others: [
      ...(await rbacFiles(operator, rbacOf(declaration, webhooks, deployment, namespaces))),
      ...(await metricsFiles(pods, deployment.serviceMonitor === true)),
      ...(await monitoringFiles(pods, deployment)),
      ...(deployment.networkPolicy === true ? await networkPolicyFile(pods) : []),
      ...callees,
      ...(await managerFiles(pods)),
      // Last, because the API server calls webhooks and evaluates policies at once.
      ...callers,
      ...policies,
    ],
  };
}

/** The contradictions between the configuration and the operator. */
async function deploymentFindings(
  { config, operator }: ProjectContents,
  request: GenerationRequest,
): Promise<ReportedFinding[]> {
  const { deployment } = config;
  const { declaration } = operator ?? {};
  if (deployment === undefined || declaration === undefined) return [];
  const mistakes = [...deploymentMistakes(declaration, deployment), ...(await monitoringMistakes(deployment))];
  return mistakes.map((mistake) => {
    const message = `${relative(request.folder, request.configPath)}: ${mistake}`;
    return { level: 'error', code: 'invalid-config', className: '', message, text: message };
  });
}

/** The tests of conversions. The file must not exist if no version declares a conversion. */
function conversionTestOf({ config, modules, classes }: ProjectContents): GeneratedFile[] {
  const { conversionTest: path, apis, folder, output, generation } = config;
  if (path === undefined) return [];
  const text = conversionTestModule(classes, {
    path,
    runner: testRunnerOf(folder),
    modules: new Map([...modules].filter(([url]) => apis.includes(url))),
    validator: generation.validator,
  });
  return [{ name: relative(output, path), text, options: ['conversionTest'] }];
}
