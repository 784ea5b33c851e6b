// Compiled by kinds.test.ts. Every line after @ts-expect-error must be an error, and no other line may be one.

import type { ApiResource, KindClass } from '@evenkeel/core';
import { apiResource } from '@evenkeel/core';
import type { ApplyConfiguration, ConfigMap, IntOrString, Quantity } from '@evenkeel/kinds';
import {
  CoreEvent,
  Deployment,
  Event,
  LabelSelector,
  PodTemplateSpec,
  Secret,
  schemaDefinition,
} from '@evenkeel/kinds';
import type { Deployment as DeploymentOfGroup } from '@evenkeel/kinds/apps/v1';
import { HorizontalPodAutoscaler } from '@evenkeel/kinds/autoscaling/v2';

declare function get<T>(): T;
declare function apply<T extends Deployment | ConfigMap>(configuration: ApplyConfiguration<T>): void;

// A read object: its metadata has a name, and what OpenAPI does not require may be missing.
const deployment: Deployment = get<DeploymentOfGroup>();
export const name: string = deployment.metadata.name;
export const apiVersion: 'apps/v1' = deployment.apiVersion;
export const replicas: number | undefined = deployment.spec?.replicas;
export const created: string | undefined = deployment.metadata.creationTimestamp;
export const surge: IntOrString | undefined = deployment.spec?.strategy?.rollingUpdate?.maxSurge;
export const cpu: Quantity | undefined = deployment.spec?.template.spec?.containers[0]?.resources?.limits?.['cpu'];
// @ts-expect-error spec is not required by OpenAPI
export const template: PodTemplateSpec = deployment.spec.template;
// @ts-expect-error JSON has no Date
export const date: Date | undefined = deployment.metadata.creationTimestamp;
// @ts-expect-error a quantity may be a number
export const memory: string | undefined = deployment.spec?.template.spec?.containers[0]?.resources?.limits?.['memory'];

// A written object is a plain literal.
export const config: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } };
export const selector: LabelSelector = { matchLabels: { app: 'a' } };
// The metadata of a pod template may lack a name.
export const pod: PodTemplateSpec = {
  metadata: { labels: { app: 'a' } },
  spec: { containers: [{ name: 'web', imagePullPolicy: 'Always' }] },
};
// @ts-expect-error not a value of the enum
export const policy: PodTemplateSpec = { spec: { containers: [{ name: 'web', imagePullPolicy: 'Sometimes' }] } };
// @ts-expect-error a container has a name
export const nameless: PodTemplateSpec = { spec: { containers: [{ image: 'nginx' }] } };
// @ts-expect-error ConfigMap is a kind of v1
export const misplaced: ConfigMap = { apiVersion: 'apps/v1', kind: 'ConfigMap', metadata: { name: 'a' } };
// @ts-expect-error values are strings
export const numeric: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 1 } };

// Fields that OpenAPI requires are required; others are optional.
export const least: Deployment['spec'] = { selector: {}, template: {} };
// @ts-expect-error a Deployment's selector is required
export const unselected: Deployment['spec'] = { template: {} };

// An apply configuration is partial at every depth.
apply<Deployment>({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: { replicas: 2 } });
apply<Deployment>({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a', namespace: 'default', ownerReferences: [{ uid: 'a' }] },
  spec: { template: { spec: { containers: [{ name: 'web', ports: [{ containerPort: 80 }] }] } } },
});
apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: {} });
// @ts-expect-error another version
apply<Deployment>({ apiVersion: 'apps/v1beta1', kind: 'Deployment', metadata: { name: 'a' } });
// @ts-expect-error the version is missing
apply<Deployment>({ kind: 'Deployment', metadata: { name: 'a' } });
// @ts-expect-error the kind is missing
apply<Deployment>({ apiVersion: 'apps/v1', metadata: { name: 'a' } });
// @ts-expect-error no such field, at any depth
apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', lables: { a: 'b' } } });
// @ts-expect-error the name is missing
apply<Deployment>({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace: 'default' } });
// @ts-expect-error another kind
apply<Deployment>({ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'a' } });
// @ts-expect-error no such field
apply<Deployment>({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: { replica: 2 } });
// @ts-expect-error not a number
apply<Deployment>({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: { replicas: '2' } });

// Classes represent kinds and definitions.
export const kinds: KindClass[] = [Deployment, Secret, Event, CoreEvent, HorizontalPodAutoscaler];
export const resource: ApiResource = Deployment[apiResource];
export const definition: string = PodTemplateSpec[schemaDefinition];
// @ts-expect-error a reusable type is not a kind
export const part: KindClass = LabelSelector;
