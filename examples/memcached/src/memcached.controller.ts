import {
  awaitChange,
  Controller,
  Deployment,
  Finalizer,
  Inject,
  Lister,
  ListerOf,
  Metadata,
  ObjectKey,
  Owns,
  Pod,
  Rbac,
  Reconcile,
  ReconcileContext,
  type ReconcileResult,
  Watches,
} from 'evenkeel';
import { image } from './image.ts';
import { Memcached } from './memcached.ts';

/** On all pods of all Memcacheds, so that the cache of the operator contains no other pods. */
const nameLabel = { 'app.kubernetes.io/name': 'memcached' };
const instanceLabel = 'app.kubernetes.io/instance';

@Controller(Memcached)
@Owns(Deployment)
export class MemcachedController {
  constructor(
    @Inject(image) private readonly currentImage: string,
    @ListerOf(Deployment) private readonly deployments: Lister<Deployment>,
    @ListerOf(Metadata(Pod)) private readonly pods: Lister<Metadata<Pod>>,
  ) {}

  /** Called when the Memcached, its Deployment or one of its pods has changed. */
  @Reconcile({ maxConcurrent: 4 })
  async reconcile(memcached: Memcached, context: ReconcileContext): Promise<ReconcileResult> {
    const before = this.deployments.get(context.key);
    const deployment = await context.apply(deploymentFor(memcached, this.currentImage));
    recordChanges(before, deployment, context);
    memcached.status.nodes = this.nodesOf(memcached);
    report(deployment, context);
    return awaitChange();
  }

  /** Keeps a deleted Memcached until its pods are gone, so that `kubectl delete` returns when nothing serves any more. */
  @Finalizer('cache.example.com/pods')
  @Rbac(Deployment, ['delete'], { reason: 'deletes the pods before their Memcached' })
  async removePods(memcached: Memcached, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    // Nothing is applied in this run, so this deletes the Deployment, unless it is a foreign one.
    await context.prune();
    const nodes = this.nodesOf(memcached);
    if (nodes.length === 0) return undefined;
    context.events.normal('Deleting', `Waiting until ${nodes.join(', ')} have stopped`);
    return awaitChange();
  }

  @Watches(Metadata(Pod), { labels: nameLabel })
  onPod({ metadata }: Metadata<Pod>): ObjectKey[] {
    const name = metadata.labels?.[instanceLabel];
    return name === undefined ? [] : [new ObjectKey(name, metadata.namespace)];
  }

  private nodesOf({ metadata: { name, namespace } }: Memcached): string[] {
    return this.pods
      .list({ namespace })
      .filter(({ metadata }) => metadata.labels?.[instanceLabel] === name)
      .map(({ metadata }) => metadata.name)
      .sort();
  }
}

/** Reports the state of the Deployment in the conditions of its Memcached. */
function report({ metadata, spec, status }: Deployment, { conditions }: ReconcileContext): void {
  const { readyReplicas = 0, updatedReplicas = 0, observedGeneration } = status ?? {};
  const wanted = spec?.replicas ?? 0;
  const isRolledOut = observedGeneration === metadata.generation && updatedReplicas === wanted;
  const isAvailable = isRolledOut && readyReplicas === wanted;
  const progress = `${readyReplicas} of ${wanted} pods are ready`;
  conditions.set('Available', isAvailable, isAvailable ? 'PodsReady' : 'PodsNotReady', progress);

  const failure = status?.conditions?.find(
    ({ type, status: is }) =>
      (type === 'ReplicaFailure' && is === 'True') || (type === 'Progressing' && is === 'False'),
  );
  conditions.set('Degraded', failure !== undefined, failure?.reason ?? 'AsExpected', failure?.message);
}

function recordChanges(before: Deployment | undefined, after: Deployment, { events }: ReconcileContext): void {
  const { name } = after.metadata;
  if (before === undefined) {
    events.normal('Created', `Created Deployment ${name}`);
    return;
  }
  const [from, to] = [before, after].map(({ spec }) => spec?.replicas);
  if (from !== to) events.normal('Scaled', `Scaled Deployment ${name} from ${from} to ${to}`);
  const [old, wanted] = [before, after].map(({ spec }) => spec?.template.spec?.containers[0]?.image);
  if (old !== wanted) events.normal('Upgraded', `Rolling Deployment ${name} from ${old} to ${wanted}`);
}

function deploymentFor({ metadata: { name }, spec: { size, containerPort } }: Memcached, image: string): Deployment {
  // Selectors cannot change, so they contain no version.
  const labels = { ...nameLabel, [instanceLabel]: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, labels },
    spec: {
      replicas: size,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          securityContext: { runAsNonRoot: true, runAsUser: 11211, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'memcached',
              image,
              args: ['--memory-limit=64', '--conn-limit=1024', `--port=${containerPort}`],
              ports: [{ name: 'memcached', containerPort }],
              readinessProbe: { tcpSocket: { port: 'memcached' } },
              resources: { requests: { cpu: '10m', memory: '96Mi' }, limits: { memory: '96Mi' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
            },
          ],
        },
      },
    },
  };
}
