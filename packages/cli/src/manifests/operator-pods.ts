import { plannedCertificates, servingSecretName } from '@evenkeel/core/certificates';
import type { WebhookPlan } from '@evenkeel/core/webhook';
import type { Operator } from '@evenkeel/runtime';
import type { ContainerResources, DeploymentConfig } from '../config.ts';
import { imageOfPackage } from '../load/image-of-package.ts';

/** The inputs of the manifests of an operator's pods, with defaults. */
export interface OperatorPods {
  readonly name: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly image: string;
  readonly replicas: number;
  readonly resources: ContainerResources;
  /** Environment variables by their names. */
  readonly env: Readonly<Record<string, string>>;
  /** Undefined for the default of the program. */
  readonly gracePeriod: string | undefined;
  /** Whether an old and a new pod must not run at the same time. */
  readonly isAlone: boolean;
  /** Whether only its leader is active. */
  readonly elects: boolean;
  readonly servesMetrics: boolean;
  readonly servesWebhooks: boolean;
  /** The Secret with the files of the webhook server's certificate; undefined if the operator creates the certificate. */
  readonly servingSecret: string | undefined;
}

/** The longest value of a label. */
const labelMax = 63;
/** The default of the option `resources`. */
const defaultResources: ContainerResources = {
  requests: { cpu: '50m', memory: '128Mi' },
  limits: { memory: '256Mi' },
};

/** @param folder the folder of the configuration. */
export function operatorPods(
  operator: Operator,
  webhooks: readonly WebhookPlan[],
  deployment: DeploymentConfig,
  { namespace, folder }: { readonly namespace: string; readonly folder: string },
): OperatorPods {
  const { name, conversions = [], webhookServer, leaderElection, metricsAuthentication = false } = operator;
  const { controllers = [], runnables = [] } = operator;
  const { replicas = 1 } = deployment;
  const servesWebhooks = webhooks.length + conversions.length > 0;
  const hasFiles = servesWebhooks && plannedCertificates(webhookServer).source !== 'built-in';
  return {
    name,
    namespace,
    serviceAccount: deployment.serviceAccount ?? name,
    image: deployment.image ?? imageOfPackage(folder) ?? `${name}:latest`,
    replicas,
    resources: deployment.resources ?? defaultResources,
    env: deployment.env ?? {},
    gracePeriod: deployment.gracePeriod,
    isAlone: leaderElection === undefined && replicas === 1 && controllers.length + runnables.length > 0,
    elects: leaderElection !== undefined,
    servesMetrics: metricsAuthentication,
    servesWebhooks,
    servingSecret: hasFiles ? servingSecretName({ name }) : undefined,
  };
}

/** Whether an operator has anything to run in a cluster. The API server evaluates policies itself. */
export function hasProcess(operator: Operator, webhooks: readonly WebhookPlan[]): boolean {
  const { controllers = [], runnables = [], conversions = [] } = operator;
  return controllers.length + runnables.length + webhooks.length + conversions.length > 0;
}

/** Returns the contradictions between the configuration and the declaration of an operator. */
export function deploymentMistakes(operator: Operator, deployment: DeploymentConfig): string[] {
  const { replicas = 1, serviceMonitor = false, alerts = false, dashboard = false } = deployment;
  const mistakes: string[] = [];
  const { length } = operator.name;
  if (length > labelMax) {
    mistakes.push(
      `defineOperator(): name has ${length} characters, but a label of the operator's pods may have at most ${labelMax}; shorten it`,
    );
  }
  // A runnable itself decides whether it runs on every replica.
  if (replicas > 1 && operator.leaderElection === undefined && (operator.controllers ?? []).length > 0) {
    mistakes.push(
      `deployment.replicas is ${replicas}, and each replica would reconcile all objects; add leaderElection: true to defineOperator()`,
    );
  }
  if (operator.metricsAuthentication !== true) {
    for (const [option, value] of Object.entries({ serviceMonitor, alerts, dashboard })) {
      if (value === false) continue;
      mistakes.push(
        `deployment.${option} is set, but the operator serves no metrics in a cluster; add metricsAuthentication: true to defineOperator()`,
      );
    }
  }
  return mistakes;
}
