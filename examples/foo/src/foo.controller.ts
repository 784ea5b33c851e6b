import {
  controllerFor,
  Deployment,
  EvenkeelError,
  type Lister,
  listerOf,
  ObjectKey,
  type ReconcileContext,
} from 'evenkeel';
import { Foo } from './foo.ts';

interface Services {
  readonly deployments: Lister<Deployment>;
}

/** Called when a Foo or its Deployment has changed. */
async function sync(foo: Foo, context: ReconcileContext, { deployments }: Services): Promise<void> {
  const { deploymentName } = foo.spec;
  const before = deployments.get(new ObjectKey(deploymentName, foo.metadata.namespace));
  const deployment = await context.apply(deploymentFor(foo)).catch((error: unknown) => {
    if (isForeign(error)) {
      const message = `Resource "${deploymentName}" already exists and is not managed by Foo`;
      context.events.warning('ErrResourceExists', message);
    }
    throw error; // The run is retried with backoff.
  });
  // Deletes the Deployment of a previous name.
  await context.prune(Deployment);
  foo.status.availableReplicas = deployment.status?.availableReplicas ?? 0;
  const isChanged = before?.metadata.generation !== deployment.metadata.generation;
  if (isChanged) context.events.normal('Synced', 'Foo synced successfully');
}

function isForeign(error: unknown): boolean {
  return error instanceof EvenkeelError && error.code === 'foreign-child';
}

function deploymentFor({ metadata, spec: { deploymentName, replicas } }: Foo): Deployment {
  const labels = { app: 'nginx', controller: metadata.name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: deploymentName },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'nginx', image: 'nginx:1.29' }] } },
    },
  };
}

export const fooController = controllerFor(Foo)
  .inject({ deployments: listerOf(Deployment) })
  .owns(Deployment)
  .rbac(Deployment, ['delete'], { reason: 'deletes the Deployment of a previous name' })
  .reconcile(sync, { maxConcurrent: 2 });
