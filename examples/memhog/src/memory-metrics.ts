import { Client, type Job, ObjectKey, quantityValue, Rbac } from 'evenkeel';

/** Measures the memory of pods. A port: tests replace it, and so can another source, such as Prometheus. */
export abstract class MemoryMetrics {
  /** Resolves to the memory that each pod of a Job uses now, in bytes; empty if none was measured yet. */
  abstract usageOf(job: Job, signal: AbortSignal): Promise<readonly number[]>;
}

/** The resource of the metrics-server. */
export const podMetrics = {
  group: 'metrics.k8s.io',
  version: 'v1beta1',
  plural: 'pods',
  kind: 'PodMetrics',
  namespaced: true,
};

/** Reads the API of Kubernetes' metrics-server. */
@Rbac({ group: 'metrics.k8s.io', plural: 'pods' }, ['list'], { reason: 'the memory that pods use' })
export class ClusterMetrics extends MemoryMetrics {
  constructor(private readonly client: Client) {
    super();
  }

  override async usageOf(job: Job, signal: AbortSignal): Promise<readonly number[]> {
    const { name, namespace } = ObjectKey.of(job);
    const labels = { 'batch.kubernetes.io/job-name': name };
    const { items } = await this.client.list(podMetrics, { namespace, labels, signal });
    return items.map((pod) => {
      const containers = pod['containers'] as readonly { usage: { memory: string } }[];
      return containers.reduce((sum, { usage }) => sum + quantityValue(usage.memory), 0);
    });
  }
}

/** Measures what the program should use, for servers without a metrics-server, whose pods do not run. */
export class SimulatedMetrics extends MemoryMetrics {
  override async usageOf({ spec }: Job): Promise<readonly number[]> {
    const command = spec?.template.spec?.containers[0]?.command ?? [];
    const bytes = command[command.indexOf('--vm-bytes') + 1];
    return [quantityValue(`${bytes}i`)];
  }
}
