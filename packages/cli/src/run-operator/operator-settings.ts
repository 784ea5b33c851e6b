import { resolve } from 'node:path';
import { EvenkeelError } from '@evenkeel/core';
import type { Operator } from '@evenkeel/runtime';
import type { DeploymentConfig } from '../config.ts';
import { namespaceOf } from '../load/load-deployment-config.ts';

export interface OperatorSettingsOptions {
  readonly kubeconfig?: string;
  /** The namespace of the Lease. */
  readonly namespace?: string;
  readonly withoutLease?: boolean;
  readonly deployment: DeploymentConfig | undefined;
  readonly folder: string;
}

/** Returns the settings with which the program of an operator steps in for the replica in the cluster. */
export function operatorSettings(
  { name, leaderElection, webhooks = [], conversions = [] }: Operator,
  { kubeconfig, namespace, withoutLease = false, deployment, folder }: OperatorSettingsOptions,
): string[] {
  const settings = kubeconfig === undefined ? [] : ['--kubeconfig', resolve(folder, kubeconfig)];
  // The replicas in the cluster serve the webhooks, because the API server cannot reach this machine.
  if (webhooks.length > 0 || conversions.length > 0) settings.push('--webhook-address', '0');
  if (withoutLease) return leaderElection === undefined ? settings : [...settings, '--leader-election-enabled=false'];
  if (leaderElection === undefined) {
    throw new EvenkeelError(
      'lease-not-declared',
      `${name} declares no leaderElection, so this process and the replica in the cluster would both reconcile; set leaderElection: true in defineOperator() and deploy it, or stop the replica and pass --without-lease`,
    );
  }
  const place = namespace ?? leaderElection.namespace ?? (deployment && namespaceOf({ deployment }, { name }));
  return [
    ...settings,
    '--leader-election-step-in',
    ...(place === undefined ? [] : ['--leader-election-namespace', place]),
  ];
}
