import type { ControllerPlan } from '@evenkeel/core';
import { deriveRoles, type PlannedRbac, type RbacManifest, type RbacRole, rbacManifests } from '@evenkeel/core/rbac';
import type { WebhookPlan } from '@evenkeel/core/webhook';
import type { YAMLMap } from 'yaml';
import type { OperatorRbac } from '../load/load-deployment-config.ts';
import type { GeneratedFile } from './generated-file.ts';
import { manifestDocument, manifestText, yamlOptions } from './manifest-file.ts';

/** The inputs of an operator's roles. */
interface DeclaredPermissions {
  readonly plans: readonly ControllerPlan[];
  readonly webhooks: readonly WebhookPlan[];
  /** The `@Rbac` rules of services and runnables. */
  readonly services: readonly PlannedRbac[];
}

/**
 * Returns the files of an operator's ServiceAccount and roles, each role with its binding. A comment above each rule
 * gives its reason.
 */
export async function rbacFiles(
  { plans, webhooks, services }: DeclaredPermissions,
  config: OperatorRbac,
): Promise<GeneratedFile[]> {
  const classes = [
    ...plans.map(({ controllerClass }) => controllerClass),
    ...webhooks.map(({ webhookClass }) => webhookClass),
  ];
  const { Document } = await import('yaml');
  const from = classes.length === 0 ? config.name : classes.map(({ name }) => name).join(', ');
  const roles = deriveRoles({ ...config, plans, webhooks, services });
  const manifests = Map.groupBy(rbacManifests(roles, config), fileNameOf);
  return [...manifests].map(([name, ofFile]) => ({
    name,
    text: manifestText(from, ofFile.map(textOf)),
    objects: ofFile.map(({ object }) => object),
    options: ['output', 'deployment', 'operator'],
  }));

  function textOf({ object, reasons }: RbacManifest): string {
    const document = manifestDocument(Document, object);
    for (const [index, texts] of reasons.entries()) {
      const rule = document.getIn(['rules', index], true) as YAMLMap;
      rule.commentBefore = texts.map((text) => ` ${text}`).join('\n');
    }
    return document.toString(yamlOptions);
  }
}

const fileNames: Readonly<Record<RbacRole['part'], string>> = {
  operator: 'rbac/role.yaml',
  'leader-election': 'rbac/leader_election_role.yaml',
  metrics: 'rbac/metrics_role.yaml',
  certificates: 'rbac/certificates_role.yaml',
};

function fileNameOf({ part }: RbacManifest): string {
  return part === undefined ? 'rbac/service_account.yaml' : fileNames[part];
}
