import type { Deployment, ReplicaSet } from '@evenkeel/kinds';
import { Course, type Spec } from './course.fixture.ts';

const name = 'web';
const labels = { app: 'web' };
const selector = { matchLabels: labels };

interface Seen {
  readonly deployment: Deployment;
  readonly sets: readonly ReplicaSet[];
}

/** A scenario of one Deployment, in its own namespace on one server. */
export class DeploymentCourse extends Course {
  create(spec: Spec, templateLabels: Spec = labels): Promise<unknown> {
    const template = { metadata: { labels: templateLabels }, spec: { containers: [{ name: 'a', image: 'a:1' }] } };
    return this.send('POST', this.#apps('deployments'), {
      metadata: { name },
      spec: { replicas: 2, selector, template, ...spec },
    });
  }

  change(spec: Spec): Promise<unknown> {
    return this.send('PATCH', this.#apps('deployments', name), { spec });
  }

  async untilComplete(): Promise<Seen> {
    const seen = await this.wait('complete', this.#look, isComplete);
    this.seen.push(seen);
    return seen;
  }

  events(): Promise<string[]> {
    return this.eventsOf('Deployment');
  }

  readonly #look = async (): Promise<Seen> => ({
    deployment: (await this.send('GET', this.#apps('deployments', name))) as Deployment,
    sets: (await this.list(this.#apps('replicasets'))) as ReplicaSet[],
  });

  #apps(plural: string, one?: string): string {
    return this.path('/apis/apps/v1', plural, one);
  }
}

/** Whether the rollout is complete, and the Pods that it replaced are gone. */
function isComplete({ deployment: { metadata, spec, status }, sets }: Seen): boolean {
  const isDone = status?.conditions?.some(({ reason }) => reason === 'NewReplicaSetAvailable') === true;
  const { replicas, observedGeneration, updatedReplicas, availableReplicas } = status ?? {};
  const counts = [replicas, updatedReplicas, availableReplicas];
  const isQuiet = [status, ...sets.map((set) => set.status)].every((each) => (each?.terminatingReplicas ?? 0) === 0);
  const isObserved = observedGeneration === metadata.generation;
  return isDone && isQuiet && isObserved && counts.every((count) => count === spec?.replicas);
}

export const deploymentCourses: Readonly<Record<string, (course: DeploymentCourse) => Promise<void>>> = {
  'has a hash label in its template': async (course) => {
    await course.create({}, { ...labels, 'pod-template-hash': 'abc' });
    await course.untilComplete();
  },
  'has no labels in its template': async (course) => {
    await course.create({ selector: { matchExpressions: [{ key: 'other', operator: 'DoesNotExist' }] } }, {});
    await course.untilComplete();
  },
  'is rolled back to a template with the hash label of its ReplicaSet': async (course) => {
    await course.create({});
    const { sets } = await course.untilComplete();
    await course.change({ template: { spec: { containers: [{ name: 'a', image: 'a:2' }] } } });
    await course.untilComplete();
    await course.change({ template: sets[0]?.spec?.template });
    await course.untilComplete();
  },
};
