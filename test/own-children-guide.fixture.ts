import { IsBoolean, IsString } from 'class-validator';
import {
  awaitChange,
  type Condition,
  Conditions,
  ConfigMap,
  Controller,
  CustomResource,
  Deployment,
  type DesiredChild,
  Finalizer,
  Job,
  KubernetesObject,
  Owns,
  Rbac,
  Reconcile,
  ReconcileContext,
  type ReconcileResult,
  Spec,
  StatefulSet,
  Status,
} from 'evenkeel';

export class ShopSpec {
  @IsString() image!: string;
  @IsBoolean() cached = false;
}

export class ShopStatus {
  @Conditions() conditions?: Condition[];
}

@CustomResource({ group: 'docs.example.com', version: 'v1' })
export class Shop extends KubernetesObject {
  @Spec() spec!: ShopSpec;
  @Status() status!: ShopStatus;
}

@Controller(Shop)
@Owns(ConfigMap)
@Owns(StatefulSet)
@Owns(Job)
@Owns(Deployment)
@Rbac(Deployment, ['delete'], { reason: 'deletes the cache when it is disabled, and before the database' })
@Rbac(Job, ['delete'], { reason: 'deletes it before the database' })
@Rbac(StatefulSet, ['delete'], { reason: 'deletes it after its dependents' })
@Rbac(ConfigMap, ['delete'], { reason: 'deletes it after its dependents' })
export class ShopController {
  @Reconcile()
  async reconcile(shop: Shop, context: ReconcileContext): Promise<void> {
    const { children } = await this.#graph(shop, context).apply();
    if (children.web?.status?.availableReplicas) context.events.normal('Open', 'the shop can be visited');
  }

  @Finalizer('docs.example.com/closed-in-order')
  async close(shop: Shop, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { ready } = await this.#graph(shop, context).delete();
    return ready ? undefined : awaitChange();
  }

  #graph(shop: Shop, context: ReconcileContext) {
    const { name } = shop.metadata;
    return context
      .dependents()
      .add('settings', ConfigMap, () => ({ metadata: { name: `${name}-settings` }, data: { theme: 'plain' } }))
      .add(
        'database',
        StatefulSet,
        () => ({ metadata: { name: `${name}-database` }, spec: pods(name, 'postgres:18') }),
        {
          ready: ({ status }) => status?.readyReplicas === 1,
        },
      )
      .add('migration', Job, () => migrationOf(shop), {
        needs: ['database'],
        ready: ({ status }) =>
          status?.conditions?.some(({ type, status }) => type === 'Complete' && status === 'True') === true,
      })
      .add('cache', Deployment, () => ({ metadata: { name: `${name}-cache` }, spec: pods(name, 'valkey:9') }), {
        when: shop.spec.cached,
      })
      .add(
        'web',
        Deployment,
        ({ settings }) => ({
          metadata: { name, annotations: { 'docs.example.com/theme': settings.data?.['theme'] ?? '' } },
          spec: pods(name, shop.spec.image),
        }),
        { needs: ['settings', 'migration'] },
      );
  }
}

function migrationOf({ metadata: { name }, spec: { image } }: Shop): DesiredChild<Job> {
  const containers = [{ name: 'migrate', image, args: ['migrate'] }];
  return {
    // The template of a Job is immutable, so each image has its own Job.
    metadata: { name: `${name}-migrate-${image.split(':').at(-1)}` },
    spec: { template: { spec: { restartPolicy: 'OnFailure', containers } } },
  };
}

function pods(app: string, image: string) {
  const labels = { app, image: image.replace(':', '-') };
  const containers = [{ name: 'main', image }];
  return { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
}
