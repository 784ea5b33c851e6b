import { awaitChange, Controller, Deployment, Owns, Reconcile, ReconcileContext, type ReconcileResult } from 'evenkeel';
import { Memcached } from './memcached.ts';

@Controller(Memcached)
@Owns(Deployment)
export class MemcachedController {
  /** Called when the Memcached or its Deployment has changed. */
  @Reconcile()
  async reconcile(memcached: Memcached, context: ReconcileContext): Promise<ReconcileResult> {
    const { replicas, image } = memcached.spec;
    const labels = { 'app.kubernetes.io/instance': memcached.metadata.name };
    const deployment = await context.apply<Deployment>({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: memcached.metadata.name, labels },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } },
      },
    });
    const { readyReplicas = 0 } = deployment.status ?? {};
    memcached.status.readyReplicas = readyReplicas;
    const message = `${readyReplicas} of ${replicas} pods are ready`;
    context.conditions.set('Available', readyReplicas >= replicas, 'PodsReady', message);
    return awaitChange();
  }
}
