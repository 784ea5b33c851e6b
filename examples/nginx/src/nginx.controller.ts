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
  Reconcile,
  ReconcileContext,
  type ReconcileResult,
  Service,
  Watches,
} from 'evenkeel';
import { Nginx } from './nginx.ts';

/** On the pod template, so that a changed page makes new pods. */
const pageHashAnnotation = 'web.example.com/page-hash';

@Controller(Nginx)
@Owns(Deployment)
@Owns(Service)
export class NginxController {
  constructor(
    @ListerOf(Nginx) private readonly nginxes: Lister<Nginx>,
    @ListerOf(Deployment) private readonly deployments: Lister<Deployment>,
    private readonly client: Client,
  ) {}

  /** Called whenever something may differ from what the Nginx asks for: after a change of it, its children or its page. */
  @Reconcile({ maxConcurrent: 4 })
  async reconcile(nginx: Nginx, context: ReconcileContext): Promise<ReconcileResult> {
    const service = await context.apply(serviceFor(nginx));
    nginx.status.address = addressOf(service);

    const before = this.deployments.get(context.key);
    const page = await this.readPage(nginx);
    if (page === 'missing') {
      // Pods that run keep their page; new ones could not start without it.
      reportMissingPage(nginx, context);
      reportDeployment(nginx, context, before);
      return awaitChange();
    }
    const deployment = await context.apply(deploymentFor(nginx, page));
    tellWhatChanged(before, deployment, context);
    context.conditions.set('Degraded', false, 'AsExpected');
    reportDeployment(nginx, context, deployment);
    return awaitChange();
  }

  /** A page that appears, changes or goes wakes each Nginx that names it. */
  @Watches(Metadata(ConfigMap))
  onConfigMap(page: Metadata<ConfigMap>): ObjectKey[] {
    return this.nginxes.byIndex('page', String(ObjectKey.of(page))).map(ObjectKey.of);
  }

  /** The page an Nginx names, as `namespace/name`. */
  @Index('page')
  pageOf({ metadata, spec }: Nginx): string | undefined {
    return spec.pageConfigMap && String(new ObjectKey(spec.pageConfigMap, metadata.namespace));
  }

  /** The hash of the page's content; undefined where the Nginx names none. */
  private async readPage(nginx: Nginx): Promise<string | undefined | 'missing'> {
    const key = this.pageOf(nginx);
    if (key === undefined) return undefined;
    const page = await ignoreNotFound(this.client.get(ConfigMap, key));
    if (page === undefined) return 'missing';
    return createHash('sha256')
      .update(JSON.stringify([page.data, page.binaryData]))
      .digest('hex')
      .slice(0, 16);
  }
}

function reportMissingPage(nginx: Nginx, context: ReconcileContext): void {
  const message = `ConfigMap ${nginx.spec.pageConfigMap} does not exist; create it, or take pageConfigMap out of the spec`;
  if (context.conditions.get('Degraded')?.reason !== 'PageNotFound') context.events.warning('PageNotFound', message);
  context.conditions.set('Degraded', true, 'PageNotFound', message);
}

/** What the Deployment has come to. `Available` says whether pages are served, and does not wait for an address. */
function reportDeployment(nginx: Nginx, context: ReconcileContext, deployment: Deployment | undefined): void {
  const { readyReplicas = 0, updatedReplicas = 0, observedGeneration, conditions = [] } = deployment?.status ?? {};
  nginx.status.readyReplicas = readyReplicas;
  nginx.status.selector = selectorOf(nginx);

  const available = conditions.find(({ type }) => type === 'Available');
  context.conditions.set(
    'Available',
    available?.status === 'True',
    available?.reason ?? 'NotYetKnown',
    available?.message ?? '',
  );
  const rolledOut =
    deployment !== undefined &&
    observedGeneration === deployment.metadata.generation &&
    updatedReplicas === nginx.spec.replicaCount &&
    readyReplicas === nginx.spec.replicaCount;
  context.conditions.set(
    'Progressing',
    !rolledOut,
    rolledOut ? 'RolledOut' : 'RollingOut',
    `${readyReplicas} of ${nginx.spec.replicaCount} pods are ready`,
  );
}

function tellWhatChanged(before: Deployment | undefined, after: Deployment, { events }: ReconcileContext): void {
  const replicas = after.spec?.replicas;
  if (before === undefined) events.normal('Created', `Created Deployment ${after.metadata.name}`);
  else if (before.spec?.replicas !== replicas) {
    events.normal('Scaled', `Scaled Deployment ${after.metadata.name} from ${before.spec?.replicas} to ${replicas}`);
  }
  if (before !== undefined && pageHashOf(before) !== pageHashOf(after)) {
    events.normal('PageChanged', `Rolling Deployment ${after.metadata.name} to the changed page`);
  }
}

function deploymentFor(nginx: Nginx, pageHash: string | undefined): Deployment {
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
        metadata: { labels, annotations: pageHash === undefined ? {} : { [pageHashAnnotation]: pageHash } },
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

/** The pods' labels as one text, where `kubectl scale` and autoscalers look for it. */
function selectorOf(nginx: Nginx): string {
  return Object.entries(labelsOf(nginx))
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
}

function addressOf(service: Service): string | undefined {
  const [ingress] = service.status?.loadBalancer?.ingress ?? [];
  return ingress?.ip ?? ingress?.hostname;
}

function pageHashOf(deployment: Deployment): string | undefined {
  return deployment.spec?.template.metadata?.annotations?.[pageHashAnnotation];
}
