import type { KindClass, KubernetesObject } from '@evenkeel/core';
import type { Client, RequestOptions } from './client.ts';

/** A question to the API server that is asked by creating it; the answer is its status. Nothing is stored. */
type Review = KubernetesObject & { spec?: object; status?: unknown };

/**
 * Asks the API server who somebody is or what they may do: a TokenReview, SelfSubjectReview, SubjectAccessReview,
 * SelfSubjectAccessReview, SelfSubjectRulesReview or LocalSubjectAccessReview. Gives the status of the answer.
 *
 * ```ts
 * const resourceAttributes = { verb: 'list', group: 'apps', resource: 'deployments', namespace: 'web' };
 * const { allowed } = await review(client, SelfSubjectAccessReview, { resourceAttributes });
 * ```
 *
 * A namespaced review is asked for in `namespace`.
 */
export async function review<T extends Review>(
  client: Client,
  kind: KindClass<T>,
  spec: NonNullable<T['spec']>,
  { namespace, ...options }: RequestOptions & { namespace?: string } = {},
): Promise<NonNullable<T['status']>> {
  const metadata = namespace === undefined ? {} : { namespace };
  const answer = await client.create(kind, { metadata, spec } as never, options);
  return (answer as unknown as { status: NonNullable<T['status']> }).status;
}
