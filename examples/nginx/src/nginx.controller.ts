import { createHash } from 'node:crypto';
import {
  awaitChange,
  Client,
  ConfigMap,
  Controller,
  Deployment,
  Index,
  ignoreNotFound,
  Lister,
  ListerOf,
  Metadata,
  ObjectKey,
  Owns,
  Rbac,
  Reconcile,
  ReconcileContext,
  type ReconcileResult,
  Service,
  Watches,
} from 'evenkeel';
import { Nginx } from './nginx.ts';

/** An annotation of the pod template, so that a changed page creates new pods. */
const pageHashAnnotation = 'web.example.com/page-hash';

/** The page that an Nginx refers to. */
type Page = 'none' | 'missing' | { readonly hash: string };

@Controller(Nginx)
@Owns(Deployment)
@Owns(Service)
export class NginxController {
  constructor(
    @ListerOf(Nginx) private readonly nginxes: Lister<Nginx>,
    @ListerOf(Deployment) private readonly deployments: Lister<Deployment>,
    private readonly client: Client,
  ) {}

  /** Called when the actual state may differ from the spec: the Nginx, a child or its page has changed. */
  @Reconcile({ maxConcurrent: 4 })
  async reconcile(nginx: Nginx, context: ReconcileContext): Promise<ReconcileResult> {
    try {
      await this.converge(nginx, context);
    } catch (error) {
      context.conditions.set('Degraded', true, 'ReconcileFailed', String(error));
      throw error; // The status is still written, and the reconcile is retried with backoff.
    }
    return awaitChange();
  }

  private async converge(nginx: Nginx, context: ReconcileContext): Promise<void> {
    const service = await context.apply(serviceFor(nginx));
    nginx.status.address = addressOf(service);

    const page = await this.readPage(nginx);
    const before = this.deployments.get(context.key);
    // Without its page, no new pod could start; running pods keep their content.
    const deployment = page === 'missing' ? before : await context.apply(deploymentFor(nginx, page));
    recordChanges(before, deployment, context);
    reportPage(nginx, context, page);
    reportDeployment(nginx, context, deployment);
  }

  /** Enqueues each Nginx that refers to a created, changed or deleted page. */
  @Watches(Metadata(ConfigMap))
  onConfigMap(page: Metadata<ConfigMap>): ObjectKey[] {
    return this.nginxes.byIndex('page', String(ObjectKey.of(page))).map(ObjectKey.of);
  }

  /** Returns the page that an Nginx refers to, as `namespace/name`. */
  @Index('page')
  pageOf({ metadata, spec }: Nginx): string | undefined {
    return spec.pageConfigMap && String(new ObjectKey(spec.pageConfigMap, metadata.namespace));
  }

  @Rbac(ConfigMap, ['get'], { reason: 'reads the page that an Nginx names' })
  private async readPage(nginx: Nginx): Promise<Page> {
    const key = this.pageOf(nginx);
    if (key === undefined) return 'none';
    const page = await ignoreNotFound(this.client.get(ConfigMap, key));
    if (page === undefined) return 'missing';
    const content = JSON.stringify([page.data, page.binaryData]);
    return { hash: createHash('sha256').update(content).digest('hex').slice(0, 16) };
  }
}

function reportPage(nginx: Nginx, { conditions, events }: ReconcileContext, page: Page): void {
  if (page !== 'missing') {
    conditions.set('Degraded', false, 'AsExpected');
    return;
  }
  const message = `ConfigMap ${nginx.spec.pageConfigMap} does not exist; create it, or remove pageConfigMap from the spec`;
  if (conditions.get('Degraded')?.reason !== 'PageNotFound') events.warning('PageNotFound', message);
  conditions.set('Degraded', true, 'PageNotFound', message);
}

/** Reports the state of the Deployment. `Available` means that pages are served; it does not depend on an address. */
function reportDeployment(nginx: Nginx, { conditions }: ReconcileContext, deployment: Deployment | undefined): void {
  const { replicas = 0, readyReplicas = 0, updatedReplicas = 0, ...status } = deployment?.status ?? {};
  nginx.status.readyReplicas = readyReplicas;
  nginx.status.selector = selectorOf(nginx);

  const available = status.conditions?.find(({ type }) => type === 'Available');
  const { reason = 'NoDeployment', message } = available ?? {};
  conditions.set('Available', available?.status === 'True', reason, message);

  const wanted = deployment?.spec?.replicas ?? 0;
  const isSeen = status.observedGeneration === deployment?.metadata.generation;
  // Like "kubectl rollout status": pods of the old template also count in replicas.
  const isRolledOut = isSeen && [replicas, updatedReplicas, readyReplicas].every((count) => count === wanted);
  const progress = `${readyReplicas} of ${wanted} pods are ready`;
  conditions.set('Progressing', !isRolledOut, isRolledOut ? 'RolledOut' : 'RollingOut', progress);
}

function recordChanges(
  before: Deployment | undefined,
  after: Deployment | undefined,
  { events }: ReconcileContext,
): void {
  const name = after?.metadata.name;
  if (before === undefined) {
    if (after !== undefined) events.normal('Created', `Created Deployment ${name}`);
    return;
  }
  const [from, to] = [before, after].map((deployment) => deployment?.spec?.replicas);
  if (from !== to) events.normal('Scaled', `Scaled Deployment ${name} from ${from} to ${to}`);
  if (pageHashOf(before) !== pageHashOf(after))
    events.normal('PageChanged', `Rolling Deployment ${name} to its new page`);
}

function deploymentFor(nginx: Nginx, page: Exclude<Page, 'missing'>): Deployment {
  const { replicaCount, image, pageConfigMap } = nginx.spec;
  const labels = labelsOf(nginx);
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: nginx.metadata.name, labels },
    spec: {
      replicas: replicaCount,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations: page === 'none' ? {} : { [pageHashAnnotation]: page.hash } },
        spec: {
          containers: [
            {
              name: 'nginx',
              image,
              ports: [{ name: 'http', containerPort: 80 }],
              readinessProbe: { httpGet: { path: '/', port: 'http' } },
              volumeMounts: pageConfigMap ? [{ name: 'page', mountPath: '/usr/share/nginx/html' }] : [],
            },
          ],
          volumes: pageConfigMap ? [{ name: 'page', configMap: { name: pageConfigMap } }] : [],
        },
      },
    },
  };
}

function serviceFor(nginx: Nginx): Service {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: nginx.metadata.name, labels: labelsOf(nginx) },
    spec: {
      type: 'LoadBalancer',
      selector: labelsOf(nginx),
      ports: [{ name: 'http', port: nginx.spec.port, targetPort: 'http' }],
    },
  };
}

function labelsOf({ metadata }: Nginx): Record<string, string> {
  return { 'app.kubernetes.io/name': 'nginx', 'app.kubernetes.io/instance': metadata.name };
}

/** Returns the labels of the pods as a string, for `kubectl scale` and autoscalers. */
function selectorOf(nginx: Nginx): string {
  return Object.entries(labelsOf(nginx))
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}

function addressOf(service: Service): string | undefined {
  const [ingress] = service.status?.loadBalancer?.ingress ?? [];
  return ingress?.ip ?? ingress?.hostname;
}

function pageHashOf(deployment: Deployment | undefined): string | undefined {
  return deployment?.spec?.template.metadata?.annotations?.[pageHashAnnotation];
}
