import {
  awaitChange,
  Controller,
  Finalizer,
  isForbidden,
  Lister,
  ListerOf,
  Owns,
  PersistentVolumeClaim,
  Reconcile,
  ReconcileContext,
  type ReconcileResult,
  type StatusError,
} from 'evenkeel';
import { DemoVolume } from './demo-volume.ts';

/** On a claim whose DemoVolume was deleted. Only a claim with it is taken over. */
const retainedAnnotation = 'demo.example.com/retained';

@Controller(DemoVolume)
@Owns(PersistentVolumeClaim)
export class DemoVolumeController {
  constructor(@ListerOf(PersistentVolumeClaim) private readonly claims: Lister<PersistentVolumeClaim>) {}

  /** Called when a DemoVolume or its claim has changed. */
  @Reconcile({ maxConcurrent: 4 })
  async reconcile(volume: DemoVolume, context: ReconcileContext): Promise<ReconcileResult> {
    const before = this.claims.get(context.key);
    const isBound = before?.status?.phase === 'Bound';
    // The size of a claim without a volume cannot change.
    const size = before === undefined || isBound ? volume.spec.size : requestOf(before);
    const adopt = before?.metadata.annotations?.[retainedAnnotation] === 'true';
    try {
      const claim = await context.apply(claimFor(volume, size), { adopt });
      recordChanges(before, claim, context);
      report(volume, claim, context);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      // For example, the StorageClass does not allow a larger volume. The run is retried, because the class may change.
      if (before !== undefined) report(volume, before, context);
      context.conditions.set('Degraded', true, 'ResizeRefused', (error as StatusError).status.message);
      throw error;
    }
    return awaitChange();
  }

  /** Keeps the claim of a deleted DemoVolume with the policy Retain: without an owner, the garbage collector leaves it alone. */
  @Finalizer('demo.example.com/reclaim')
  async reclaim({ metadata, spec }: DemoVolume, { key, client, events }: ReconcileContext): Promise<void> {
    const claim = this.claims.get(key);
    const owners = claim?.metadata.ownerReferences ?? [];
    if (spec.reclaimPolicy === 'Delete' || claim === undefined || !owners.some(({ uid }) => uid === metadata.uid))
      return;
    await client.patch(PersistentVolumeClaim, key, {
      merge: {
        metadata: {
          // The claim must not have changed since.
          resourceVersion: claim.metadata.resourceVersion,
          annotations: { [retainedAnnotation]: 'true' },
          ownerReferences: owners.filter(({ uid }) => uid !== metadata.uid),
        },
      },
    });
    events.normal('Retained', `PersistentVolumeClaim ${key.name} stays`);
  }
}

function report(volume: DemoVolume, { status = {} }: PersistentVolumeClaim, { conditions }: ReconcileContext): void {
  const { size } = volume.spec;
  const capacity = status.capacity?.['storage']?.toString();
  volume.status.capacity = capacity;
  const isBound = status.phase === 'Bound';
  const message = isBound ? 'the claim has a volume' : 'waiting for a PersistentVolume';
  conditions.set('Available', isBound, isBound ? 'Bound' : `Claim${status.phase ?? 'Pending'}`, message);
  const isLost = status.phase === 'Lost';
  conditions.set('Degraded', isLost, isLost ? 'VolumeLost' : 'AsExpected');
  const isComplete = isBound && capacity === size;
  const progress = isBound ? `${capacity} of ${size}` : message;
  conditions.set('Progressing', !isComplete, isComplete ? 'SizeReached' : isBound ? 'Resizing' : 'Binding', progress);
}

function recordChanges(
  before: PersistentVolumeClaim | undefined,
  after: PersistentVolumeClaim,
  { events }: ReconcileContext,
): void {
  const { name } = after.metadata;
  if (before === undefined) {
    events.normal('Created', `Created PersistentVolumeClaim ${name}`);
    return;
  }
  const [from, to] = [requestOf(before), requestOf(after)];
  if (from !== to) events.normal('Resizing', `Resizing PersistentVolumeClaim ${name} from ${from} to ${to}`);
}

function requestOf({ spec }: PersistentVolumeClaim): string {
  return String(spec?.resources?.requests?.['storage'] ?? '');
}

function claimFor({ metadata, spec }: DemoVolume, storage: string): PersistentVolumeClaim {
  const { storageClassName } = spec;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: metadata.name, labels: { 'app.kubernetes.io/managed-by': 'demo-volume-operator' } },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage } },
      ...(storageClassName === undefined ? {} : { storageClassName }),
    },
  };
}
