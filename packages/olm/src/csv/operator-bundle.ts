import type { JsonObject } from '@evenkeel/apimachinery/json';
import type { RbacRole } from '@evenkeel/core/rbac';
import type { CustomResourceDefinition, Deployment } from '@evenkeel/kinds';
import type { BundleMetadata } from './bundle-metadata.ts';
import type { WrittenKind } from './described-kinds.ts';
import { type InstallModeType, installModeTypes } from './install-modes.ts';
import { installPermissions } from './permissions.ts';
import type { RelatedImage } from './related-image.ts';
import type { WrittenWebhook } from './webhook-definitions.ts';

/** The inputs of a ClusterServiceVersion. */
export interface OperatorBundle {
  readonly metadata: BundleMetadata;
  /** The namespace that the operator suggests for its pods. */
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly deployment: Deployment;
  readonly owned: readonly WrittenKind[];
  readonly required: readonly WrittenKind[];
  /** The roles of the operator. Those of the namespaces in {@link scope} are granted where OLM installs the operator. */
  readonly roles: readonly RbacRole[];
  readonly scope: readonly string[];
  readonly installModes: readonly InstallModeType[];
  readonly webhooks: readonly WrittenWebhook[];
  /** Objects of the owned kinds. */
  readonly examples: readonly object[];
  /** The oldest version of Kubernetes, such as `1.31`. */
  readonly minServerVersion: string;
  readonly images: readonly RelatedImage[];
}

/** A ClusterServiceVersion without its date, its place in the channels and the digests of its images. */
export interface WrittenClusterServiceVersion extends JsonObject {
  readonly apiVersion: 'operators.coreos.com/v1alpha1';
  readonly kind: 'ClusterServiceVersion';
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: JsonObject & { readonly relatedImages?: readonly RelatedImage[] };
}

const prefix = 'operators.operatorframework.io/';

/** Returns the ClusterServiceVersion of an operator. The same input has the same result, in the same order. */
export function clusterServiceVersion(bundle: OperatorBundle): WrittenClusterServiceVersion {
  const { metadata, deployment, serviceAccount, webhooks, images } = bundle;
  const { permissions, clusterPermissions } = installPermissions(bundle.roles, bundle.scope);
  const granted = (rules: readonly object[]) =>
    rules.length === 0 ? [] : [{ serviceAccountName: serviceAccount, rules }];
  const { name = '', labels } = deployment.metadata;
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: `${metadata.packageName}.v${metadata.version}`,
      annotations: annotationsOf(bundle),
      ...(metadata.architectures.length === 0 ? {} : { labels: platformLabels(metadata.architectures) }),
    },
    spec: withoutEmpty({
      displayName: metadata.displayName,
      description: metadata.description,
      version: metadata.version,
      maturity: metadata.maturity,
      minKubeVersion: `${bundle.minServerVersion}.0`,
      keywords: metadata.keywords,
      maintainers: metadata.maintainers,
      provider: metadata.provider,
      links: metadata.links,
      icon: [metadata.icon],
      customresourcedefinitions: withoutEmpty({ owned: bundle.owned, required: bundle.required }),
      install: {
        strategy: 'deployment',
        spec: withoutEmpty({
          clusterPermissions: granted(clusterPermissions),
          permissions: granted(permissions),
          deployments: [{ name, ...(labels === undefined ? {} : { label: labels }), spec: deployment.spec }],
        }),
      },
      installModes: installModeTypes.map((type) => ({ type, supported: bundle.installModes.includes(type) })),
      webhookdefinitions: webhooks,
      relatedImages: images,
    }),
  };
}

function annotationsOf({ metadata, namespace, deployment, examples }: OperatorBundle): Record<string, string> {
  const { capabilities, categories, summary, repository, support } = metadata;
  const image = deployment.spec?.template.spec?.containers[0]?.image;
  const all: Readonly<Record<string, string | undefined>> = {
    'alm-examples': JSON.stringify(examples, undefined, 2),
    capabilities,
    categories: categories.length === 0 ? undefined : categories.join(','),
    containerImage: image,
    description: summary,
    'operatorframework.io/suggested-namespace': namespace,
    [`${prefix}builder`]: 'evenkeel',
    repository,
    support,
    ...metadata.annotations,
  };
  const set = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function platformLabels(architectures: readonly string[]): Record<string, string> {
  const names = [...architectures.map((each) => `arch.${each}`), 'os.linux'];
  return Object.fromEntries(names.map((name) => [`operatorframework.io/${name}`, 'supported']));
}

/** The members that are neither undefined nor empty lists. */
function withoutEmpty(members: JsonObject): JsonObject {
  const kept = Object.entries(members).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(kept);
}

/** Returns a CRD with the address at which OLM makes the API server call its conversion webhook, and without annotations for others. */
export function bundledDefinition(
  definition: CustomResourceDefinition,
  service: { readonly name: string; readonly namespace: string },
): CustomResourceDefinition {
  const { metadata, spec } = definition;
  if (spec.conversion?.webhook === undefined) return definition;
  const { annotations: _, ...kept } = metadata;
  const clientConfig = { service: { ...service, path: '/convert' } };
  return {
    ...definition,
    metadata: kept,
    spec: { ...spec, conversion: { ...spec.conversion, webhook: { ...spec.conversion.webhook, clientConfig } } },
  };
}
