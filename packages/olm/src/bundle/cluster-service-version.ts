import type { PolicyRule } from '@evenkeel/apimachinery/rbac';
import { type SchemaNode, schemaOf } from '@evenkeel/kinds/schemas';
import { unconverted } from './json-types.ts';

export interface DeploymentPermissions {
  readonly serviceAccountName?: string;
  readonly rules?: readonly PolicyRule[];
}

export interface Container {
  readonly name?: string;
  readonly image?: string;
  readonly env?: readonly { readonly name?: string; readonly value?: string }[];
  readonly resources?: { readonly requests?: Readonly<Record<string, unknown>> };
}

interface StrategyDeployment {
  readonly name?: string;
  readonly spec?: {
    readonly template?: {
      readonly spec?: {
        readonly serviceAccountName?: string;
        readonly containers?: readonly Container[];
        readonly initContainers?: readonly Container[];
      };
    };
  };
}

/** A kind that an operator owns or requires. */
export interface DescribedDefinition {
  readonly name?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly group?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly resources?: readonly { readonly name?: string; readonly kind?: string; readonly version?: string }[];
  readonly specDescriptors?: readonly FieldDescriptor[];
  readonly statusDescriptors?: readonly FieldDescriptor[];
}

/** How consoles show a field. */
export interface FieldDescriptor {
  /** Below the spec or the status. */
  readonly path?: string;
  readonly displayName?: string;
  readonly description?: string;
}

export interface WebhookDefinition {
  readonly generateName?: string;
  readonly type?: string;
  readonly deploymentName?: string;
  readonly conversionCRDs?: readonly string[];
  readonly rules?: readonly { readonly apiGroups?: readonly string[]; readonly resources?: readonly string[] }[];
}

/** `spec` of a ClusterServiceVersion, as far as the checks read it. */
export interface ClusterServiceVersionSpec {
  readonly displayName?: string;
  readonly description?: string;
  readonly version?: string;
  readonly release?: string;
  readonly minKubeVersion?: string;
  readonly replaces?: string;
  readonly skips?: readonly string[];
  readonly provider?: { readonly name?: string; readonly url?: string };
  readonly maintainers?: readonly { readonly name?: string; readonly email?: string }[];
  readonly links?: readonly { readonly name?: string; readonly url?: string }[];
  readonly icon?: readonly { readonly base64data?: string; readonly mediatype?: string }[];
  readonly installModes?: readonly { readonly type?: string; readonly supported?: boolean }[];
  readonly relatedImages?: readonly { readonly name?: string; readonly image?: string }[];
  readonly customresourcedefinitions?: DescribedKinds;
  readonly apiservicedefinitions?: DescribedKinds;
  readonly webhookdefinitions?: readonly WebhookDefinition[];
  readonly install?: {
    readonly strategy?: string;
    readonly spec?: {
      readonly deployments?: readonly StrategyDeployment[];
      readonly permissions?: readonly DeploymentPermissions[];
      readonly clusterPermissions?: readonly DeploymentPermissions[];
    };
  };
}

interface DescribedKinds {
  readonly owned?: readonly DescribedDefinition[];
  readonly required?: readonly DescribedDefinition[];
}

/** A ClusterServiceVersion. Every field may be missing; the types of those that exist have been checked. */
export interface ClusterServiceVersion {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: ClusterServiceVersionSpec;
}

const text: SchemaNode = { type: 'string' };
const flag: SchemaNode = { type: 'boolean' };
const integer: SchemaNode = { type: 'integer' };
const listOf = (items: SchemaNode): SchemaNode => ({ type: 'array', items });
const mapOf = (additionalProperties: SchemaNode): SchemaNode => ({ type: 'object', additionalProperties });
const structOf = (properties: Readonly<Record<string, SchemaNode>>): SchemaNode => ({ type: 'object', properties });

const descriptors = listOf(
  structOf({ path: text, displayName: text, description: text, 'x-descriptors': listOf(text), value: {} }),
);
const described = structOf({
  name: text,
  group: text,
  version: text,
  kind: text,
  displayName: text,
  description: text,
  deploymentName: text,
  containerPort: integer,
  resources: listOf(structOf({ name: text, kind: text, version: text })),
  specDescriptors: descriptors,
  statusDescriptors: descriptors,
  actionDescriptors: descriptors,
});
const kinds = structOf({ owned: listOf(described), required: listOf(described) });
const link = structOf({ name: text, url: text });

/** The fields of `spec` that catalogs repeat in the property `olm.csv.metadata`. */
const catalogued = {
  description: text,
  displayName: text,
  installModes: listOf(structOf({ type: text, supported: flag })),
  keywords: listOf(text),
  links: listOf(link),
  maintainers: listOf(structOf({ name: text, email: text })),
  maturity: text,
  minKubeVersion: text,
  nativeAPIs: listOf(structOf({ group: text, version: text, kind: text })),
  provider: link,
};

/** The types of the property `olm.csv.metadata` (operator-registry, `alpha/property/property.go`). */
export const csvMetadataSchema: SchemaNode = structOf({
  ...catalogued,
  annotations: mapOf(text),
  labels: mapOf(text),
  apiServiceDefinitions: kinds,
  crdDescriptions: kinds,
});

/** The types of a ClusterServiceVersion, operators.coreos.com/v1alpha1 (operator-framework/api, `clusterserviceversion_types.go`). */
export async function clusterServiceVersionSchema(): Promise<SchemaNode> {
  const [metadata, deployment, rule, selector, webhookRule] = await Promise.all(
    [
      'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
      'io.k8s.api.apps.v1.DeploymentSpec',
      'io.k8s.api.rbac.v1.PolicyRule',
      'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector',
      'io.k8s.api.admissionregistration.v1.RuleWithOperations',
    ].map(schemaOf),
  );
  if (!metadata || !deployment || !rule || !selector || !webhookRule) throw new Error('a built-in type is missing');
  const permissions = listOf(structOf({ serviceAccountName: text, rules: listOf(rule) }));
  const deployments = listOf(structOf({ name: text, spec: deployment, label: mapOf(text) }));
  const webhook = structOf({
    generateName: text,
    type: text,
    deploymentName: text,
    containerPort: integer,
    targetPort: { 'x-kubernetes-int-or-string': true },
    rules: listOf(webhookRule),
    failurePolicy: text,
    matchPolicy: text,
    objectSelector: selector,
    sideEffects: text,
    timeoutSeconds: integer,
    admissionReviewVersions: listOf(text),
    reinvocationPolicy: text,
    webhookPath: text,
    conversionCRDs: listOf(text),
  });
  const spec = structOf({
    ...catalogued,
    install: structOf({
      strategy: text,
      spec: structOf({ deployments, permissions, clusterPermissions: permissions }),
    }),
    version: unconverted,
    release: unconverted,
    customresourcedefinitions: kinds,
    apiservicedefinitions: kinds,
    webhookdefinitions: listOf(webhook),
    icon: listOf(structOf({ base64data: text, mediatype: text })),
    replaces: text,
    labels: mapOf(text),
    annotations: mapOf(text),
    selector,
    cleanup: structOf({ enabled: flag }),
    skips: listOf(text),
    relatedImages: listOf(structOf({ name: text, image: text })),
  });
  return structOf({ apiVersion: text, kind: text, metadata, spec });
}
