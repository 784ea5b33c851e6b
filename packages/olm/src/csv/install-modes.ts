import type { ControllerPlan } from '@evenkeel/core';
import type { WebhookPlan } from '@evenkeel/core/webhook';

/** The namespaces for which OLM can install an operator, from `spec.installModes`, in its order. */
export const installModeTypes = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'] as const;

export type InstallModeType = (typeof installModeTypes)[number];

/** What limits the install modes of an operator. */
export interface OperatorScope {
  /** The namespaces that it declares; undefined for all. */
  readonly namespaces: readonly string[] | undefined;
  /** The namespace that it suggests for its pods. */
  readonly namespace: string;
  readonly plans: readonly ControllerPlan[];
  readonly webhooks: readonly WebhookPlan[];
  /** Whether it converts objects. */
  readonly converts: boolean;
}

/** The install modes that follow from the namespaces that an operator declares. */
export function installModesFor({ namespaces, namespace }: OperatorScope): InstallModeType[] {
  if (namespaces === undefined) return ['AllNamespaces'];
  if (new Set(namespaces).size !== 1) return ['MultiNamespace'];
  return namespaces[0] === namespace ? ['OwnNamespace', 'SingleNamespace'] : ['SingleNamespace'];
}

/** Returns why an operator cannot support a mode; undefined if it can. */
export function forbiddenMode(mode: InstallModeType, scope: OperatorScope): string | undefined {
  const { namespaces, plans, webhooks, converts } = scope;
  if (mode === 'AllNamespaces') {
    return namespaces === undefined ? undefined : 'defineOperator() limits the operator to namespaces';
  }
  if (converts) return 'a conversion webhook converts the objects of all namespaces';
  const clusterWide = [
    ...plans.map(({ controllerClass, resource }) => ({ name: controllerClass.name, resource })),
    ...webhooks.map(({ webhookClass, resource }) => ({ name: webhookClass.name, resource })),
  ].find(({ resource }) => !resource.namespaced);
  return clusterWide === undefined
    ? undefined
    : `${clusterWide.name} is called for every ${clusterWide.resource.kind}, and these objects are in no namespace`;
}
