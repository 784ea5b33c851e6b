import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { GeneratedFile } from '../manifests/generated-file.ts';
import type { OperatorPods } from '../manifests/operator-pods.ts';

/** The inputs of a chart. */
export interface OperatorChart {
  /** The name of the operator, or of the project if it has none. */
  readonly name: string;
  /** The folder of the configuration. */
  readonly folder: string;
  /** The folder of the chart. */
  readonly chart: string;
  readonly definitions: readonly CustomResourceDefinition[];
  /** The oldest Kubernetes version that the operator supports, such as `1.31`. */
  readonly minServerVersion: string;
  /** The namespaces that the operator declares; undefined for all. */
  readonly namespaces: readonly string[] | undefined;
  /** The inputs of the manifests of its pods; undefined if nothing runs in the cluster. */
  readonly pods: OperatorPods | undefined;
  /** Where the certificate of its webhooks comes from; undefined without webhooks. */
  readonly certificates: 'built-in' | 'cert-manager' | 'files' | undefined;
  readonly serviceMonitor: boolean;
  readonly alerts: boolean;
  readonly dashboard: boolean;
  readonly networkPolicy: boolean;
  readonly aggregateRoles: boolean;
  /** Returns the manifests of the operator for a place, without its CRDs and the roles of their users. */
  readonly manifests: (place: ChartPlace) => Promise<readonly GeneratedFile[]>;
  /** Returns the roles of the users of the kinds. */
  readonly userRoles: (isAggregated: boolean) => Promise<readonly GeneratedFile[]>;
}

/** Where an operator runs and what it watches, as names or as placeholders of names. */
export interface ChartPlace {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** The namespaces of its roles; undefined for all. */
  readonly roleNamespaces: readonly string[] | undefined;
  /** The requirement that limits a namespace selector to the watched namespaces. */
  readonly selectorRequirement: string;
  readonly replicas: number;
}
