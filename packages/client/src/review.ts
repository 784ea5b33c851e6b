import type { KindClass, KubernetesObject } from '@evenkeel/core';
import type { Client } from './client.ts';
import type { RequestOptions } from './request-options.ts';

/** A kind that is created to ask the API server a question. The answer is in its status. Nothing is stored. */
type Review = KubernetesObject & { spec?: object; status?: unknown };

/**
 * Asks the API server about a user's identity or permissions, with a TokenReview, SelfSubjectReview,
 * SubjectAccessReview, SelfSubjectAccessReview, SelfSubjectRulesReview or LocalSubjectAccessReview. Returns the status
 * of the review.
 *
 * ```ts
 * const resourceAttributes = { verb: 'list', group: 'apps', resource: 'deployments', namespace: 'web' };
 * const { allowed } = await review(client, SelfSubjectAccessReview, { resourceAttributes });
 * ```
 *
 * `namespace` is required for a namespaced review.
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
