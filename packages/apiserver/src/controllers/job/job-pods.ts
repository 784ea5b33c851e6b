import type { Job, Pod } from '@evenkeel/kinds';
import { controllerOf, controllerReferenceTo, isControlledBy } from '../controller-reference.ts';
import type { EventWriter } from '../event-writer.ts';
import type { ServerClient } from '../server-client.ts';
import { isTracked, podOf, selectsPod, trackingFinalizer } from './job-pod.ts';

const pods = { group: '', plural: 'pods' };

/** The Job controller's operations on pods. */
export class JobPods {
  readonly #client: ServerClient;
  readonly #events: EventWriter;

  constructor(client: ServerClient, events: EventWriter) {
    this.#client = client;
    this.#events = events;
  }

  /**
   * The pods that the Job controls. First adopts matching pods that have no controller, and releases controlled pods that
   * no longer match. Source: `PodControllerRefManager`, `pkg/controller/controller_ref_manager.go`.
   */
  async claim(job: Job): Promise<Pod[]> {
    const isDeleting = job.metadata.deletionTimestamp !== undefined;
    const claimed: Pod[] = [];
    for (const pod of this.#client.list<Pod>(pods, job.metadata.namespace)) {
      const isSelected = selectsPod(job, pod);
      if (isControlledBy(pod, job)) {
        if (isSelected) claimed.push(pod);
        else if (!isDeleting) await this.#release(job, pod);
      } else if (isSelected && !isDeleting && controllerOf(pod) === undefined && !pod.metadata.deletionTimestamp) {
        claimed.push(await this.#adopt(job, pod));
      }
    }
    return claimed;
  }

  #adopt(job: Job, pod: Pod): Promise<Pod> {
    const { ownerReferences = [], finalizers = [] } = pod.metadata;
    return this.#patch(pod, {
      ownerReferences: [...ownerReferences, controllerReferenceTo(job)],
      ...(isTracked(pod) ? {} : { finalizers: [...finalizers, trackingFinalizer] }),
    });
  }

  #release(job: Job, pod: Pod): Promise<Pod> {
    const { ownerReferences = [], finalizers = [] } = pod.metadata;
    return this.#patch(pod, {
      ownerReferences: ownerReferences.filter(({ uid }) => uid !== job.metadata.uid),
      finalizers: finalizers.filter((finalizer) => finalizer !== trackingFinalizer),
    });
  }

  /** Removes the tracking finalizer of a pod that is counted or never will be. */
  async untrack(pod: Pod): Promise<void> {
    const { namespace, name, uid } = pod.metadata;
    const live = this.#client.get<Pod>(pods, namespace, name);
    if (live === undefined || live.metadata.uid !== uid || !isTracked(live)) return;
    const finalizers = live.metadata.finalizers?.filter((finalizer) => finalizer !== trackingFinalizer) ?? [];
    await this.#patch(live, { finalizers });
  }

  #patch(pod: Pod, metadata: Record<string, unknown>): Promise<Pod> {
    const { namespace, name, uid, resourceVersion } = pod.metadata;
    return this.#client.patch<Pod>(pods, namespace, name, { metadata: { uid, resourceVersion, ...metadata } });
  }

  async create(job: Job, index: number | undefined, replaced: Pod | undefined): Promise<Pod> {
    const pod = await this.#client.create<Pod>(pods, podOf(job, index, replaced));
    this.#events.normal(job, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
    return pod;
  }

  async delete(job: Job, pod: Pod): Promise<void> {
    const { namespace, name, uid } = pod.metadata;
    await this.#client.delete(pods, namespace, name, uid === undefined ? {} : { preconditions: { uid } });
    this.#events.normal(job, 'SuccessfulDelete', `Deleted pod: ${name}`);
  }
}
