import { dns1123SubdomainErrors } from '@evenkeel/apimachinery/names';
import type { WebhookDefinition } from '../bundle/cluster-service-version.ts';
import { hasDigest } from '../format/image-reference.ts';
import type { BundleCheck } from './bundle-check.ts';
import type { CheckedBundle } from './checked-bundle.ts';

const installModes: ReadonlySet<unknown> = new Set([
  'OwnNamespace',
  'SingleNamespace',
  'MultiNamespace',
  'AllNamespaces',
]);

/**
 * The kinds that OLM installs from a bundle.
 *
 * Source: `pkg/lib/bundle/supported_resources.go` of github.com/operator-framework/operator-registry.
 */
const installedKinds: ReadonlySet<string> = new Set([
  'ClusterServiceVersion',
  'CustomResourceDefinition',
  'Secret',
  'ConfigMap',
  'Service',
  'ServiceAccount',
  'Role',
  'RoleBinding',
  'ClusterRole',
  'ClusterRoleBinding',
  'PrometheusRule',
  'ServiceMonitor',
  'PodMonitor',
  'PodDisruptionBudget',
  'PriorityClass',
  'VerticalPodAutoscaler',
  'ConsoleYAMLSample',
  'ConsoleQuickStart',
  'ConsoleCLIDownload',
  'ConsoleLink',
  'ConsolePlugin',
  'NetworkPolicy',
]);

/**
 * The checks with which OLM v1 rejects a bundle before it installs it, and those of what is installed.
 *
 * Source: `internal/operator-controller/rukpak/render/registryv1/validators` of github.com/operator-framework/operator-controller.
 */
export function checkInstallation(checked: CheckedBundle): void {
  for (const object of checked.bundle.objects) {
    if (object.document.count > 1) {
      checked.report.add(
        'file-several-documents',
        'OLM reads one object of a file; write each to a file of its own',
        object,
      );
    }
    if (!installedKinds.has(object.kind)) {
      const message = `OLM does not install objects of kind ${object.kind}; let the operator create it`;
      checked.report.add('object-kind-unsupported', message, { ...object, path: ['kind'] });
    }
  }
  checkModes(checked);
  checkDeployments(checked);
  checkWebhooks(checked);
  checkImages(checked);
}

function checkModes(checked: CheckedBundle): void {
  const modes = checked.spec.installModes ?? [];
  const seen = new Set<unknown>();
  for (const [index, { type }] of modes.entries()) {
    const path = ['spec', 'installModes', index, 'type'];
    if (seen.has(type))
      checked.add('install-mode-duplicate', path, `${String(type)} is listed twice; remove one entry`);
    else if (!installModes.has(type)) {
      checked.add(
        'install-mode-unknown',
        path,
        `${JSON.stringify(type)} is unknown; use one of ${[...installModes].join(', ')}`,
      );
    }
    seen.add(type);
  }
  const isForAll = modes.some(({ type, supported }) => type === 'AllNamespaces' && supported === true);
  if (modes.length > 0 && !isForAll) {
    const message = 'OLM v1 installs operators only for all namespaces; support AllNamespaces for it';
    checked.add('install-mode-unsupported-in-v1', ['spec', 'installModes'], message);
  }
}

function checkDeployments(checked: CheckedBundle): void {
  const seen = new Set<string>();
  for (const [index, { name, spec }] of (checked.spec.install?.spec?.deployments ?? []).entries()) {
    const path = ['spec', 'install', 'spec', 'deployments', index];
    checkUniqueName(checked, seen, name ?? '', [...path, 'name'], 'deployment-duplicate', 'deployment-name-invalid');
    for (const [at, { name: container, resources }] of (spec?.template?.spec?.containers ?? []).entries()) {
      const requests = resources?.requests;
      if (!requests || (requests['cpu'] !== undefined && requests['memory'] !== undefined)) continue;
      const message = `the container ${container ?? ''} must request both cpu and memory; add the missing one`;
      const place = [...path, 'spec', 'template', 'spec', 'containers', at, 'resources', 'requests'];
      checked.add('container-request-incomplete', place, message);
    }
  }
}

function checkUniqueName(
  checked: CheckedBundle,
  seen: Set<string>,
  name: string,
  path: readonly (string | number)[],
  duplicate: BundleCheck,
  invalid: BundleCheck,
): void {
  if (seen.has(name)) checked.add(duplicate, path, `${JSON.stringify(name)} is used twice; rename one`);
  seen.add(name);
  const errors = dns1123SubdomainErrors(name);
  if (errors.length > 0) checked.add(invalid, path, `${JSON.stringify(name)} is invalid: ${errors.join(', ')}`);
}

function checkWebhooks(checked: CheckedBundle): void {
  const { spec } = checked;
  const deployments = new Set((spec.install?.spec?.deployments ?? []).map(({ name }) => name));
  const owned = new Set((spec.customresourcedefinitions?.owned ?? []).map(({ name }) => name));
  const names = new Map<unknown, Set<string>>();
  const converted = new Set<string>();
  for (const [index, webhook] of (spec.webhookdefinitions ?? []).entries()) {
    const path = ['spec', 'webhookdefinitions', index];
    const { type, generateName, deploymentName, conversionCRDs } = webhook;
    const seen = names.get(type) ?? new Set();
    names.set(type, seen);
    checkUniqueName(
      checked,
      seen,
      generateName ?? '',
      [...path, 'generateName'],
      'webhook-duplicate',
      'webhook-name-invalid',
    );
    if (!deployments.has(deploymentName ?? '')) {
      const message = `the operator has no Deployment ${JSON.stringify(deploymentName ?? '')}; use one of ${[...deployments].join(', ')}`;
      checked.add('webhook-deployment-missing', [...path, 'deploymentName'], message);
    }
    checkWebhookRules(checked, path, webhook);
    for (const [at, name] of (type === 'ConversionWebhook' ? (conversionCRDs ?? []) : []).entries()) {
      const place = [...path, 'conversionCRDs', at];
      if (converted.has(name))
        checked.add('conversion-duplicate', place, `${name} has another conversion webhook; remove one`);
      else if (!owned.has(name))
        checked.add(
          'conversion-not-owned',
          place,
          `the operator does not own the CRD ${name}; remove it from conversionCRDs`,
        );
      converted.add(name);
    }
  }
}

function checkWebhookRules(
  checked: CheckedBundle,
  path: readonly (string | number)[],
  { type, rules }: WebhookDefinition,
): void {
  if (type === 'ConversionWebhook') return;
  for (const [index, { apiGroups, resources }] of (rules ?? []).entries()) {
    const groups = apiGroups ?? [];
    const ofConfigurations =
      groups.includes('admissionregistration.k8s.io') &&
      resources?.some((each) => /^(?:\*|(?:mutating|validating)webhookconfigurations)$/.test(each)) === true;
    if (!groups.includes('*') && !groups.includes('olm.operatorframework.io') && !ofConfigurations) continue;
    const message =
      'a webhook for all groups, for OLM or for webhook configurations could block OLM itself; name your groups';
    checked.add('webhook-rule-forbidden', [...path, 'rules', index], message);
  }
}

function checkImages(checked: CheckedBundle): void {
  const related = checked.spec.relatedImages ?? [];
  for (const [index, { image }] of related.entries()) {
    if (!image || hasDigest(image)) continue;
    const message = `${image} has no digest, so its content can change after the release; write it as NAME@sha256:...`;
    checked.add('image-without-digest', ['spec', 'relatedImages', index, 'image'], message);
  }
  const listed = new Set(related.map(({ image }) => image));
  for (const [index, { spec }] of (checked.spec.install?.spec?.deployments ?? []).entries()) {
    const pod = spec?.template?.spec;
    for (const field of ['initContainers', 'containers'] as const) {
      for (const [at, { image }] of (pod?.[field] ?? []).entries()) {
        if (!image || listed.has(image)) continue;
        const path = ['spec', 'install', 'spec', 'deployments', index, 'spec', 'template', 'spec', field, at, 'image'];
        checked.add(
          'image-unlisted',
          path,
          `${image} is missing in spec.relatedImages, so mirrors do not copy it; add it`,
        );
      }
    }
  }
}
