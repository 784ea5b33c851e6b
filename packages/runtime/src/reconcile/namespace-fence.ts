import { type Interceptor, isRead } from '@evenkeel/client';
import { type ApiResource, EvenkeelError, groupResourceOf, type Logger, ObjectKey } from '@evenkeel/core';
import type { CachedObject } from '../cache/cached-object.ts';
import type { WriteRecorder } from './write-recorder.ts';

/** Where a run may read and write. */
export interface RunReach {
  readonly controller: string;
  /** The object that is reconciled. */
  readonly key: ObjectKey;
  /** That object's. */
  readonly namespace: string;
}

/** What a run goes through, for messages. */
export type Way = 'context.client' | 'an injected Client' | 'a lister';

export type Access = 'read' | 'write';

export interface Place {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Kinds without a namespace of which nothing is kept: to create one is to ask a question. */
const reviewGroups = ['authentication.k8s.io', 'authorization.k8s.io'];

/**
 * Throws `outside-of-namespace` for all but reads and writes in the run's namespace, reads of what has none, and reviews.
 * A place without a namespace, or with an empty one, is all of them.
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
    ? `a ${kind}, which has no namespace${name === '' ? '' : ` (${name})`}`
    : asked === undefined
      ? `a ${kind} of no or any namespace`
      : `${kind} ${new ObjectKey(name === '' ? '*' : name, asked)}`;
  throw new EvenkeelError(
    'outside-of-namespace',
    `${controller}: the run for ${key} may ${access} only in ${namespace} through ${way}, and was to ${access} ${what}; give the namespace, or, where the one who makes the object may decide that, write { acrossNamespaces: true } in @Controller`,
  );
}

/** The same for what a run asks a lister of a kind that has namespaces, by key; called by the million. */
export function checkKey(reach: RunReach, resource: ApiResource, key: ObjectKey | string): void {
  const { namespace } = reach;
  if (
    typeof key === 'string' ? key.startsWith(namespace) && key[namespace.length] === '/' : key.namespace === namespace
  )
    return;
  checkReach(reach, 'a lister', 'read', resource, typeof key === 'string' ? ObjectKey.parse(key) : key);
}

/**
 * Keeps what a run does in the namespace of its object, however deep in the user's code and however late, through clients
 * and listers that belong to no run by themselves. One for each manager: of another manager's runs it knows nothing, for
 * those may be of another cluster.
 *
 * What the work of a run is, AsyncLocalStorage says: also what a timer or a promise does that the run has begun. A queue of
 * the user's own that others empty is not followed.
 */
export class NamespaceFence {
  readonly #recorder: Pick<WriteRecorder, 'current'>;
  readonly #logger: Logger;
  readonly #told = new Set<string>();

  constructor(recorder: Pick<WriteRecorder, 'current'>, logger: Logger) {
    this.#recorder = recorder;
    this.#logger = logger;
  }

  /** Keeps the run that asks within `reach`, from here on. */
  hold(reach: RunReach): void {
    const run = this.#recorder.current;
    if (run !== undefined) run.reach = reach;
  }

  /** Of the run that asks; undefined where it may go everywhere, or where none asks. */
  get reach(): RunReach | undefined {
    return this.#recorder.current?.reach;
  }

  /** Stands first among a client's interceptors: what is refused was never begun. */
  readonly interceptor: Interceptor = (request, next) => {
    const { reach } = this;
    if (reach !== undefined) {
      checkReach(reach, 'an injected Client', isRead(request.verb) ? 'read' : 'write', request.resource, request);
    }
    return next(request);
  };

  /**
   * What a run sees of the objects under a value of an index. Those of other namespaces are left out: to refuse them would
   * let whoever makes one stop the runs of all others that have this value. That is told once for each index.
   */
  visible<T extends CachedObject>(resource: ApiResource, index: string, objects: readonly T[]): readonly T[] {
    const { reach } = this;
    if (reach === undefined) return objects;
    const { namespace, controller } = reach;
    if (objects.every(({ metadata }) => metadata.namespace === namespace)) return objects;
    this.#tell(controller, groupResourceOf(resource), index);
    return objects.filter(({ metadata }) => metadata.namespace === namespace);
  }

  #tell(controller: string, lister: string, index: string): void {
    const id = `${controller} ${lister} ${index}`;
    if (this.#told.has(id)) return;
    this.#told.add(id);
    this.#logger.warn(
      "a run does not see what its lister has of other namespaces than the object's; where it is to, write { acrossNamespaces: true } in @Controller",
      { controller, lister, index },
    );
  }
}
