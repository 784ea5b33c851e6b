import type { ControllerPlan } from '@evenkeel/core';
import { deriveRoles, type PlannedRbac, type RbacManifest, type RbacRole, rbacManifests } from '@evenkeel/core/rbac';
import type { YAMLMap, YAMLSeq } from 'yaml';
import type { OperatorRbac } from '../load/load-rbac-config.ts';
import type { GeneratedFile } from './generation.ts';

/**
 * Returns the files of an operator's ServiceAccount and roles, each role with its binding. A comment above each rule
 * gives its reason. Returns none if there are no controllers.
 *
 * @param services the `@Rbac` rules of classes other than controllers.
 */
export async function rbacFiles(
  plans: readonly ControllerPlan[],
  services: readonly PlannedRbac[],
  config: OperatorRbac,
): Promise<GeneratedFile[]> {
  if (plans.length === 0) return [];
  const { Document } = await import('yaml');
  const from = plans.map(({ controllerClass }) => controllerClass.name).join(', ');
  const roles = deriveRoles({ ...config, plans, services });
  const texts = new Map<string, string[]>();
  for (const manifest of rbacManifests(roles, config)) {
    const name = fileNameOf(manifest);
    texts.set(name, [...(texts.get(name) ?? []), textOf(manifest)]);
  }
  return [...texts].map(([name, documents]) => ({
    name,
    text: `# Made by "evenkeel generate" from the declarations of ${from}: change those, not this.\n\n${documents.join('---\n')}`,
    options: ['output', 'rbac', 'operator'],
  }));

  function textOf({ object, reasons }: RbacManifest): string {
    const document = new Document(object);
    for (const [index, texts] of reasons.entries()) {
      const rule = document.getIn(['rules', index], true) as YAMLMap<string, YAMLSeq>;
      rule.commentBefore = texts.map((text) => ` ${text}`).join('\n');
      // A rule is easier to read as three short lists.
      for (const { value } of rule.items) if (value !== null) value.flow = true;
    }
    return document.toString({ lineWidth: 0, flowCollectionPadding: false });
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
