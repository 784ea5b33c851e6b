import { relative } from 'node:path';
import { EvenkeelError, type KubernetesObject } from '@evenkeel/core';
import { plannedCertificates, servingCertificatesDirectory, webhookClientConfig } from '@evenkeel/core/certificates';
import { deriveRoles } from '@evenkeel/core/rbac';
import { defaultMinServerVersion, webhookConfigurations } from '@evenkeel/core/webhook';
import type { Deployment } from '@evenkeel/kinds';
import {
  type BundleContents,
  bundledDefinition,
  clusterServiceVersion,
  forbiddenMode,
  type InstallModeType,
  imagesInEnvironment,
  installModesFor,
  installModeTypes,
  installPermissions,
  lostOptions,
  type OperatorScope,
  ownedKinds,
  type RelatedImage,
  requiredKinds,
  type TypedValue,
  webhookDefinitions,
  webhookServiceOf,
} from '@evenkeel/olm/csv';
import { customResourceDefinitionFileName } from '@evenkeel/schema';
import type { BundleDependency, DeploymentConfig } from '../config.ts';
import { readSamples } from '../dev/sample.ts';
import type { CheckedOperator } from '../generate/check-operator.ts';
import type { GenerationRequest, ReportedFinding } from '../generate/generation.ts';
import type { ProjectContents } from '../generate/load-project.ts';
import { namespaceOf, rbacOf } from '../load/load-deployment-config.ts';
import type { ManifestObject } from '../manifests/generated-file.ts';
import { managerFiles } from '../manifests/manager-files.ts';
import { metricsFiles } from '../manifests/metrics-files.ts';
import { networkPolicyFile } from '../manifests/network-policy.ts';
import { hasProcess, type OperatorPods, operatorPods } from '../manifests/operator-pods.ts';
import { containerPorts } from '../manifests/ports.ts';
import { servedVersions } from '../manifests/served-versions.ts';
import { userRoles } from '../manifests/user-roles.ts';
import { monitoringFiles } from '../monitoring/monitoring-files.ts';
import { projectMetadata } from './project-metadata.ts';

/** A bundle that was made, and what OLM cannot express of the project. */
export interface ProjectBundle {
  readonly contents: BundleContents;
  readonly notices: readonly ReportedFinding[];
}

/** A project that can have a bundle. */
interface BundledProject extends ProjectContents {
  readonly deployment: DeploymentConfig;
  readonly operator: CheckedOperator & { readonly declaration: NonNullable<CheckedOperator['declaration']> };
  readonly scope: OperatorScope;
  readonly installModes: readonly InstallModeType[];
}

/**
 * Makes the bundle of a project without errors. Throws `bundle-metadata-missing`, `invalid-config`, `bundle-unsupported` and
 * `invalid-sample`.
 */
export async function projectBundle(contents: ProjectContents, request: GenerationRequest): Promise<ProjectBundle> {
  const shown = relative(request.folder, request.configPath);
  const project = bundledProject(contents, shown);
  const { config, operator, deployment, definitions, scope, installModes } = project;
  const { declaration, plans, webhooks, services } = operator;
  const { bundle = {}, folder } = config;
  const { namespace } = scope;
  const metadata = projectMetadata(config, shown, { name: declaration.name, version: request.bundles?.version });
  const { kinds = {} } = bundle;
  const owned = ownedKinds(definitions, plans, kinds);
  const isForAll = installModes.join() === 'AllNamespaces';
  const roleNamespaces = isForAll ? undefined : (declaration.namespaces ?? [anyNamespace]);
  const rbac = { ...rbacOf(declaration, webhooks, deployment, roleNamespaces), certificates: undefined };
  const roles = deriveRoles({ ...rbac, plans, webhooks, services });
  const inScope = [...(roleNamespaces ?? []), namespace];
  const pods: OperatorPods = {
    // OLM mounts the certificate, wherever it comes from otherwise.
    ...operatorPods(declaration, webhooks, deployment, { namespace, folder }),
    servingSecret: undefined,
  };
  const [running, ...besides] = objectsIn(await managerFiles(pods));
  const created = installedDeployment(running as Deployment, project, pods);
  const images = relatedImages(project, pods);
  const place = { name: declaration.name, namespace };
  const certificates = plannedCertificates(declaration.webhookServer);
  const configurations = webhookConfigurations(declaration.name, webhooks, ({ path }) =>
    webhookClientConfig(certificates, place, path),
  );
  const csv = clusterServiceVersion({
    ...{
      metadata,
      namespace,
      serviceAccount: pods.serviceAccount,
      deployment: created,
      owned,
      roles,
      installModes,
      images,
    },
    scope: inScope,
    required: requiredKinds(plans, owned, kinds),
    webhooks: webhookDefinitions(
      configurations,
      definitions.filter(({ spec }) => spec.conversion?.webhook !== undefined),
      { deploymentName: declaration.name, targetPort: containerPorts.webhook },
    ),
    examples: await examplesOf(project),
    minServerVersion: declaration.minServerVersion ?? defaultMinServerVersion,
  });
  const others = [
    ...besides,
    ...objectsIn(await userRoles(definitions, deployment.aggregateRoles === true)),
    ...objectsIn(await metricsFiles(pods, deployment.serviceMonitor === true)),
    ...objectsIn(await monitoringFiles(pods, deployment)),
    ...(deployment.networkPolicy === true ? objectsIn(await networkPolicyFile(pods)) : []),
  ];
  const service = { name: webhookServiceOf(declaration.name), namespace };
  return {
    contents: {
      ...{ packageName: metadata.packageName, version: metadata.version, csv, images },
      objects: [
        ...definitions.map((definition) => ({
          file: customResourceDefinitionFileName(definition),
          object: bundledDefinition(definition, service),
        })),
        ...others.map(fileOf),
      ],
      dependencies: (bundle.dependencies ?? []).map(typedDependency),
      properties: bundle.properties ?? [],
      installation:
        bundle.catalogImage === undefined
          ? undefined
          : {
              ...{
                packageName: metadata.packageName,
                displayName: metadata.displayName,
                publisher: metadata.provider.name,
              },
              ...{ catalogImage: bundle.catalogImage, namespace, installModes, namespaces: declaration.namespaces },
            },
    },
    notices: [
      ...lostOptions(configurations, declaration.namespaces).map(({ webhook, option }) =>
        notice(
          `the webhook ${webhook} declares ${option}, which OLM cannot express, so the API server calls it for more objects; check them in the methods of the webhook too`,
        ),
      ),
      ...installPermissions(roles, inScope).widened.map((each) =>
        notice(
          `OLM grants no permissions in the fixed namespace ${each}, so the operator gets those in all namespaces; declare them without a namespace, or check whether that is acceptable`,
        ),
      ),
    ],
  };
}

/** Stands for the namespaces for which OLM installs an operator. */
const anyNamespace = 'target-namespace';

/** Checks what a bundle needs and whether OLM can install it. */
function bundledProject(contents: ProjectContents, shown: string): BundledProject {
  const { config, operator } = contents;
  const { deployment, bundle } = config;
  const { declaration } = operator ?? {};
  if (operator === undefined || declaration === undefined) {
    throw unsupported(`${shown}: a bundle installs an operator, and the configuration has none; set operator`);
  }
  if (deployment === undefined) {
    throw unsupported(`${shown}: a bundle contains the operator's Deployment, but deployment is false; remove that`);
  }
  const { webhooks, policies, plans } = operator;
  if (!hasProcess(declaration, webhooks)) {
    throw unsupported(`${declaration.name}: OLM installs operators with a Deployment, and this one runs no process`);
  }
  const [policy] = policies;
  if (policy !== undefined) {
    throw unsupported(
      `${policy.webhookClass.name}: OLM does not install admission policies; remove policy: true from its decorator, so that the operator serves a webhook with the same rules`,
    );
  }
  const { conversions = [], namespaces } = declaration;
  const certificates = plannedCertificates(declaration.webhookServer);
  if (certificates.source === 'files' && certificates.url !== undefined && webhooks.length + conversions.length > 0) {
    throw unsupported(
      `defineOperator(): OLM makes the API server call webhooks through a Service, but webhookServer.url is ${certificates.url}; remove url`,
    );
  }
  const scope = {
    namespaces,
    namespace: namespaceOf(config, declaration),
    plans,
    webhooks,
    converts: conversions.length > 0,
  };
  const installModes = bundle?.installModes ?? installModesFor(scope);
  const problems = installModes.flatMap((mode) => {
    if (!installModeTypes.includes(mode)) return `"${mode}" is unknown; use ${installModeTypes.join(', ')}`;
    const why = forbiddenMode(mode, scope);
    return why === undefined ? [] : `${mode} is impossible, because ${why}; remove it`;
  });
  if (installModes.length === 0) problems.push('the list is empty; remove it, or list AllNamespaces');
  if (problems.length > 0) {
    const text = problems.map((problem) => `${shown}: bundle.installModes: ${problem}`).join('\n');
    throw new EvenkeelError('invalid-config', text);
  }
  return { ...contents, deployment, operator: { ...operator, declaration }, scope, installModes };
}

/** The Deployment as OLM creates it: OLM sets its namespace, and mounts the certificate of its webhooks. */
function installedDeployment(
  deployment: Deployment,
  { installModes, operator }: BundledProject,
  pods: OperatorPods,
): Deployment {
  const { spec, metadata } = deployment;
  const [container, ...others] = spec?.template.spec?.containers ?? [];
  if (spec === undefined || container === undefined) throw new Error('the Deployment has no container');
  const isBuiltIn = plannedCertificates(operator.declaration.webhookServer).source === 'built-in';
  const args = [
    ...(container.args ?? []),
    ...(pods.servesWebhooks && isBuiltIn ? [`--webhook-certificates=${servingCertificatesDirectory}`] : []),
  ];
  // OLM writes the namespaces to this annotation of the pods. It is empty for all.
  const namespaces = {
    name: 'EVENKEEL_NAMESPACES',
    valueFrom: { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } },
  };
  const env = [...(container.env ?? []), ...(installModes.join() === 'AllNamespaces' ? [] : [namespaces])];
  const changed = { ...container, args, ...(env.length === 0 ? {} : { env }) };
  const { namespace: _, ...kept } = metadata;
  return {
    ...deployment,
    metadata: kept,
    spec: {
      ...spec,
      template: { ...spec.template, spec: { ...spec.template.spec, containers: [changed, ...others] } },
    },
  };
}

function relatedImages({ config: { bundle } }: BundledProject, pods: OperatorPods): RelatedImage[] {
  const named = Object.entries(bundle?.images ?? {}).map(([name, image]) => ({ name, image }));
  const all = [{ name: pods.name, image: pods.image }, ...imagesInEnvironment(pods.env), ...named];
  return [...new Map(all.map((each) => [each.name, each])).values()];
}

/** The samples of the project without their namespaces, and a generated one of each version without one. */
async function examplesOf({ config, definitions }: BundledProject): Promise<object[]> {
  const files = await Promise.all(config.samples.map(readSamples));
  const samples = files.flat().map(({ object }) => object);
  const { sampleObjects } = await import('@evenkeel/schema/sample');
  return servedVersions(definitions).flatMap(({ apiVersion, kind, schema }) => {
    const own = samples.filter((sample) => sample.apiVersion === apiVersion && sample.kind === kind);
    const named = { apiVersion, kind, metadata: { name: `${kind.toLowerCase()}-sample` } };
    const made = own.length > 0 ? own : [sampleObjects(schema, { minimal: named, full: named })?.minimal ?? []].flat();
    return made.map((object) => {
      const { apiVersion: _, kind: __, metadata, ...parts } = object as KubernetesObject;
      const { namespace: ___, ...placed } = metadata;
      return { apiVersion, kind, metadata: placed, ...parts };
    });
  });
}

function objectsIn(files: readonly { readonly objects?: readonly ManifestObject[] }[]): ManifestObject[] {
  return files.flatMap(({ objects = [] }) => objects);
}

/** OLM installs the objects of a bundle into the namespace of the operator. */
function fileOf(object: ManifestObject): { readonly file: string; readonly object: ManifestObject } {
  const { namespace: _, ...metadata } = object.metadata;
  return { file: `${metadata.name}_${object.kind.toLowerCase()}.yaml`, object: { ...object, metadata } };
}

function typedDependency(dependency: BundleDependency): TypedValue {
  if ('package' in dependency) {
    return { type: 'olm.package', value: { packageName: dependency.package, version: dependency.version } };
  }
  return 'constraint' in dependency
    ? { type: 'olm.constraint', value: dependency.constraint }
    : { type: 'olm.gvk', value: dependency };
}

function unsupported(message: string): EvenkeelError {
  return new EvenkeelError('bundle-unsupported', message);
}

function notice(message: string): ReportedFinding {
  return { level: 'notice', code: 'bundle-unsupported', className: '', message, text: message };
}
