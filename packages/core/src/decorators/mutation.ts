import { declare, listed, recordField } from '../declarations/class-record.ts';
import type { AnyClass } from '../declarations/class-reference.ts';

/** The options of `@Mutation`. */
export interface MutationOptions {
  /**
   * `ApplyConfiguration`: the expression returns an `Object{...}`, whose fields are merged as in server-side apply. `JSONPatch`: it
   * returns a list of `JSONPatch{...}`. Default `ApplyConfiguration`.
   */
  patchType?: 'ApplyConfiguration' | 'JSONPatch';
}

export interface MutationDeclaration extends MutationOptions {
  readonly expression: string;
}

/**
 * A CEL expression of a class with `@MutatingWebhook` that returns what changes in an object. Its variables are those of
 * {@link Rule} in webhooks. Repeat it for more mutations; each sees the changes of those before it.
 *
 * ```ts
 * @MutatingWebhook(Site, { policy: true, operations: ['create'] })
 * @Mutation('Object{spec: Object.spec{replicas: has(object.spec.replicas) ? object.spec.replicas : 2}}')
 * class SiteDefaults {}
 * ```
 */
export function Mutation(expression: string, options: MutationOptions = {}): (target: AnyClass) => void {
  return (target) => declare(mutations, target, { ...options, expression });
}

/** The record of `@Mutation`. */
export const mutations = recordField('mutations', listed<MutationDeclaration>());
