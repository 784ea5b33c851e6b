import { type Interceptor, isRead } from '@evenkeel/client';
import { type ApiResource, EvenkeelError, groupResourceOf, type Logger, ObjectKey } from '@evenkeel/core';
import type { CachedObject } from '../cache/cached-object.ts';
import type { RunReach } from './run-reach.ts';
import type { WriteRecorder } from './write-recorder.ts';

/** What the run uses, for messages. */
export type Way = 'context.client' | 'an injected Client' | 'a lister';

export type Access = 'read' | 'write';

export interface Place {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Reviews are cluster-scoped and not stored: creating one is a query. */
const reviewGroups = ['authentication.k8s.io', 'authorization.k8s.io'];

/**
 * Throws `outside-of-namespace`, except for reads and writes in the run's namespace, reads of cluster-scoped objects, and
 * reviews. A missing or empty namespace of a place means all namespaces.
 */
export function checkReach(
  { controller, key, namespace }: RunReach,
  way: Way,
  access: Access,
  { kind, group, namespaced }: ApiResource,
  place: Place,
): void {
  const asked = place.namespace === '' ? undefined : place.namespace;
  if (namespaced ? asked === namespace : access === 'read' || reviewGroups.includes(group)) return;
  const name = place.name ?? '';
  const what = !namespaced
    ? `${name === '' ? 'a' : 'the'} cluster-scoped ${kind}${name === '' ? '' : ` ${name}`}`
    : asked === undefined
      ? `a ${kind} without specifying a namespace`
      : `${kind} ${new ObjectKey(name === '' ? '*' : name, asked)}`;
  throw new EvenkeelError(
    'outside-of-namespace',
    `${controller}: the run for ${key} cannot use ${way} to ${access} ${what}: it is restricted to the namespace ${namespace}; use that namespace, or, if the creator of the object may choose the namespace, set { acrossNamespaces: true } in @Controller`,
  );
}

/** The same for a key passed to a lister of a namespaced kind. Called very often, so it must be fast. */
export function checkKey(reach: RunReach, resource: ApiResource, key: ObjectKey | string): void {
  const { namespace } = reach;
  if (
    typeof key === 'string' ? key.startsWith(namespace) && key[namespace.length] === '/' : key.namespace === namespace
  )
    return;
  checkReach(reach, 'a lister', 'read', resource, typeof key === 'string' ? ObjectKey.parse(key) : key);
}

/**
 * Restricts injected clients and listers, which do not belong to a run, to the namespace of the run that calls them. Each
 * manager has its own fence, which ignores runs of other managers, because those may use another cluster.
 *
 * AsyncLocalStorage identifies the run, also in timers and promises that the run has started. It cannot follow work that the
 * user's code puts into a queue that another caller processes.
 */
export class NamespaceFence {
  readonly #recorder: Pick<WriteRecorder, 'current'>;
  readonly #logger: Logger;
  readonly #reported = new Set<string>();

  constructor(recorder: Pick<WriteRecorder, 'current'>, logger: Logger) {
    this.#recorder = recorder;
    this.#logger = logger;
  }

  /** Restricts the calling run to `reach` from now on. */
  hold(reach: RunReach): void {
    const run = this.#recorder.current;
    if (run !== undefined) run.reach = reach;
  }

  /** The reach of the calling run. Undefined if it is not restricted, or if the caller is not in a run. */
  get reach(): RunReach | undefined {
    return this.#recorder.current?.reach;
  }

  /** Must be the client's first interceptor, so that the others do not see rejected requests. */
  readonly interceptor: Interceptor = (request, next) => {
    const { reach } = this;
    if (reach !== undefined) {
      checkReach(reach, 'an injected Client', isRead(request.verb) ? 'read' : 'write', request.resource, request);
    }
    return next(request);
  };

  /**
   * Returns the objects of an index value without those of other namespaces, and logs a warning once for each index. It does
   * not throw, because then a user who creates an object with this value would make the runs of all others fail.
   */
  visible<T extends CachedObject>(resource: ApiResource, index: string, objects: readonly T[]): readonly T[] {
    const { reach } = this;
    if (reach === undefined) return objects;
    const { namespace, controller } = reach;
    if (objects.every(({ metadata }) => metadata.namespace === namespace)) return objects;
    this.#report(controller, groupResourceOf(resource), index);
    return objects.filter(({ metadata }) => metadata.namespace === namespace);
  }

  #report(controller: string, lister: string, index: string): void {
    const id = `${controller} ${lister} ${index}`;
    if (this.#reported.has(id)) return;
    this.#reported.add(id);
    this.#logger.warn(
      'byIndex omits objects outside the namespace of the reconciled object; to include them, set { acrossNamespaces: true } in @Controller',
      { controller, lister, index },
    );
  }
}
