import { type Client, review } from '@evenkeel/client';
import { type ApiResource, apiResource, EvenkeelError, groupResourceOf, KubernetesObject } from '@evenkeel/core';
import { mayLoseFields } from './field-losses.ts';
import { definitions, type MigratedDefinition } from './migrated-definition.ts';

/** A light class, because the built-in one imports all kinds of its group. */
class SelfSubjectAccessReview extends KubernetesObject {
  static readonly [apiResource]: ApiResource = {
    group: 'authorization.k8s.io',
    version: 'v1',
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
    namespaced: false,
  };
  declare spec: object;
  declare status?: { allowed?: boolean };
}

/** Throws `migration-refused` if the user lacks a permission that the migration needs, before anything is written. */
export async function checkPermissions(
  client: Client,
  definition: MigratedDefinition,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { name, resource } = definition;
  const needs = [
    { target: resource, verb: 'list' },
    ...(mayLoseFields(definition) ? [{ target: resource, verb: 'get' }] : []),
    { target: resource, verb: 'patch' },
    { target: definitions, verb: 'patch', name, subresource: 'status' },
  ];
  const missing: string[] = [];
  for (const { target, ...need } of needs) {
    const { group, version, plural } = target;
    const resourceAttributes = { ...need, group, version, resource: plural };
    const { allowed } = await review(
      client,
      SelfSubjectAccessReview,
      { resourceAttributes },
      { ...(signal && { signal }) },
    );
    if (allowed === true) continue;
    const subresource = need.subresource === undefined ? '' : `/${need.subresource}`;
    missing.push(`${need.verb} ${groupResourceOf(target)}${subresource}`);
  }
  if (missing.length === 0) return;
  throw new EvenkeelError(
    'migration-refused',
    `migrate ${name}: the user of this connection must not ${missing.join(', ')} in the whole cluster; grant these permissions with a ClusterRole, or use another user`,
  );
}
