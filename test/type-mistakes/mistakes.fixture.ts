// Mistakes that the compiler rejects. The text after @ts-expect-error is in the compiler's message; messages.test.ts compares it.

import { Scale } from '@evenkeel/kinds/autoscaling/v1';
import {
  type AdmissionReview,
  Admit,
  type Client,
  ConfigMap,
  Controller,
  CustomResource,
  Deployment,
  Every,
  Index,
  KubernetesObject,
  Lister,
  ListerOf,
  Metadata,
  MutatingWebhook,
  type ObjectEvent,
  ObjectKey,
  Owns,
  Pod,
  parseDuration,
  Rbac,
  Reconcile,
  type ReconcileContext,
  type ReconcileResult,
  Rule,
  requeueAfter,
  Secret,
  Spec,
  Status,
  ValidatingWebhook,
  Watches,
} from 'evenkeel';

@CustomResource({ group: 'cache.example.com', version: 'v1' })
export class Memcached extends KubernetesObject {
  @Spec() spec!: { size: number };
  @Status() status!: { ready?: number; nodes?: string[] };
}

// Durations.

export function durations(seconds: number, setting: string): ReconcileResult[] {
  return [
    // @ts-expect-error Argument of type '60' is not assignable to parameter of type 'Duration'.
    requeueAfter(60),
    // @ts-expect-error Argument of type '"1 minute"' is not assignable to parameter of type 'Duration'.
    requeueAfter('1 minute'),
    // @ts-expect-error Argument of type '"60"' is not assignable to parameter of type 'Duration'.
    requeueAfter('60'),
    // @ts-expect-error Argument of type 'string' is not assignable to parameter of type 'Duration'.
    requeueAfter(setting),
    requeueAfter('0'),
    requeueAfter('1d12h30m'),
    requeueAfter(`${seconds * 2}s`),
    requeueAfter(parseDuration(setting)),
  ];
}

// Listers.

@Controller(Memcached)
export class WrongListers {
  constructor(
    // @ts-expect-error "@ListerOf gives a Lister of Deployment; the parameter has a Lister of another type"
    @ListerOf(Deployment) private readonly secrets: Lister<Secret>,
    // @ts-expect-error "@ListerOf gives a Lister of Secret; the parameter has a Lister of another type"
    @ListerOf(() => Metadata(Secret)) private readonly whole: Lister<Secret>,
    // @ts-expect-error "@ListerOf gives a Lister of ConfigMap; the type of the parameter is not a Lister"
    @ListerOf(ConfigMap) private readonly map: ConfigMap,
    @ListerOf(Deployment) private readonly right: Lister<Deployment>,
    @ListerOf(() => Memcached) private readonly own: Lister<Memcached>,
    @ListerOf(Metadata(ConfigMap)) private readonly metadata?: Lister<Metadata<ConfigMap>>,
  ) {}

  @Reconcile() reconcile({ metadata }: Memcached): unknown {
    const cached = this.own.get(ObjectKey.of({ metadata }));
    // @ts-expect-error 'cached.status' is possibly 'undefined'.
    if (cached !== undefined) return cached.status.ready;
    return [this.secrets, this.whole, this.map, this.right, this.metadata];
  }
}

// Methods and their kinds.

// @ts-expect-error "@Controller gives the kind to reconcile(); the parameter has another type"
@Controller(Memcached)
export class WrongKind {
  // @ts-expect-error Argument of type '500' is not assignable to parameter of type 'Duration'.
  @Every(500)
  // @ts-expect-error Type '"soon"' is not assignable to type 'Duration | undefined'.
  @Reconcile({ timeout: 'soon' })
  reconcile(_deployment: Deployment): void {}
}

const isLarge = ({ object }: ObjectEvent<Deployment>): boolean => (object.spec?.replicas ?? 1) > 9;

// @ts-expect-error Type '({ object }: ObjectEvent<Deployment>) => boolean' is not assignable to type 'Predicate<
@Owns(ConfigMap, { predicates: [isLarge] })
// @ts-expect-error Property 'replicas' does not exist on type '{ size: number; }'.
@Controller(() => Memcached, { predicates: [({ object }) => object.spec.replicas > 1] })
export class WrongMethods {
  @Reconcile() reconcile(): void {}

  // @ts-expect-error Type 'Secret' is not assignable to type 'ConfigMap'.
  @Watches(Secret)
  onSecret({ metadata }: ConfigMap): ObjectKey[] {
    return [ObjectKey.of({ metadata })];
  }

  // @ts-expect-error "gets only metadata: write Metadata<YourKind> as the type of its parameter"
  @Watches(Metadata(ConfigMap))
  onMetadata({ metadata }: ConfigMap): ObjectKey[] {
    return [ObjectKey.of({ metadata })];
  }

  // @ts-expect-error Type '({ object }: ObjectEvent<Deployment>) => boolean' is not assignable to type 'Predicate<
  @Watches(ConfigMap, { labels: { app: 'web' }, predicates: [isLarge] })
  onMap(): ObjectKey[] {
    return [];
  }

  // @ts-expect-error Type 'Deployment' is not assignable to type 'ConfigMap'.
  @Index('key', Deployment)
  keyOf({ data }: ConfigMap): string[] {
    return Object.keys(data ?? {});
  }
}

// @ts-expect-error Type '"destroy"' is not assignable to type '"approve" | "attest" | "bind" | "create" |
@Rbac(Pod, ['destroy'])
// @ts-expect-error Type '"list"' is not assignable to type '"delete" | "get" | "head" |
@Rbac('/metrics', ['list'])
@Rbac(() => Metadata(Memcached), ['get'], { names: ['cache'] })
@Rbac('/healthz', ['get'], { reason: 'checks the server' })
export class WrongVerbs {}

// Webhooks.

// @ts-expect-error "@ValidatingWebhook gives the kind to check(); a parameter has another type"
@ValidatingWebhook(Memcached)
export class WrongWebhook {
  @Admit('create') check(_pod: Pod, _review: AdmissionReview<Pod>): void {}
}

// @ts-expect-error "@MutatingWebhook gives Deployment to inject(); a parameter has another type"
@MutatingWebhook(Deployment)
export class WrongReview {
  @Admit() inject(_deployment: Deployment, _review: AdmissionReview<Pod>): void {}
}

// @ts-expect-error "@ValidatingWebhook gives Scale to limit(); a parameter has another type"
@ValidatingWebhook(Deployment, { subresource: 'scale' })
export class WrongScale {
  @Admit() limit(_deployment: Deployment, _review: AdmissionReview<Deployment>): void {}
}

export class WrongRuleReason {
  // @ts-expect-error Unable to resolve signature of property decorator when called as an expression.
  @Rule('self > 1', { reason: 'Forbidden' }) size!: number;
}

@ValidatingWebhook(() => Memcached)
@ValidatingWebhook(Memcached, { subresource: 'status' })
// @ts-expect-error Type '"Maybe"' is not assignable to type '"Fail" | "Ignore" | undefined'.
@ValidatingWebhook(Memcached, { failurePolicy: 'Maybe' })
export class WrongResults {
  // @ts-expect-error Type 'boolean' is not assignable to type 'void | Promise<void>'.
  @Admit() answer(cache: Memcached): boolean {
    return cache.spec.size > 1;
  }

  // @ts-expect-error Argument of type '"patch"' is not assignable to parameter of type '"connect" | "create" | "delete" | "update"'.
  @Admit('patch') async check(cache: Memcached, review: AdmissionReview<Memcached>): Promise<void> {
    // @ts-expect-error 'review.oldObject' is possibly 'undefined'.
    if (cache.spec.size < review.oldObject.spec.size) review.forbidden('spec.size', 'may not shrink');
  }

  help(pod: Pod): Pod {
    return pod;
  }
}

@ValidatingWebhook(Deployment, { subresource: 'scale', timeoutSeconds: 5 })
export class RightScale {
  @Admit('update') limit(scale: Scale, review: AdmissionReview<Scale>): void {
    if ((scale.spec?.replicas ?? 0) > 3) review.deny('too many');
  }
}

// Writes and reads.

export async function writes(client: Client, context: ReconcileContext, cache: Memcached): Promise<void> {
  const metadata = { name: cache.metadata.name };
  await context.apply({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    // @ts-expect-error 'replica' does not exist in type
    spec: { replica: 3 },
  });
  await context.apply<Deployment>({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    // @ts-expect-error 'imagee' does not exist in type
    spec: { template: { spec: { containers: [{ name: 'cache', imagee: 'memcached' }] } } },
  });
  // @ts-expect-error 'dta' does not exist in type
  await context.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata, dta: { size: '1' } });
  const deployment = await context.apply({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { replicas: 3, template: { spec: { containers: [{ name: 'cache', image: 'memcached' }] } } },
  });
  const replicas: number | undefined = deployment.spec?.replicas;
  // Kinds without a class, and objects of the user's classes.
  await context.apply({ apiVersion: 'cert-manager.io/v1', kind: 'Certificate', metadata, spec: { secretName: 'tls' } });
  await context.apply(cache);

  // @ts-expect-error 'sise' does not exist in type
  await client.create(Memcached, { metadata, spec: { sise: 3 } });
  // The compiler does not know which fields have defaults.
  await client.create(Memcached, { metadata, spec: {} });
  // @ts-expect-error 'replica' does not exist in type
  await client.apply(Deployment, { metadata, spec: { replica: 3 } });
  // @ts-expect-error 'replica' does not exist in type
  await client.patch(Deployment, 'default/cache', { merge: { spec: { replica: 3 } } });
  // @ts-expect-error 'sise' does not exist in type
  await client.patch(Memcached, 'default/cache', { merge: { spec: { sise: 3 } } });
  // @ts-expect-error 'replica' does not exist in type
  await client.patch(Deployment, 'default/cache', { strategic: { spec: { replica: 3, $retainKeys: ['replicas'] } } });
  await client.patch(Memcached, 'default/cache', { merge: { metadata: { labels: { old: null } }, spec: { size: 3 } } });
  await client.patch(Metadata(Deployment), 'default/cache', { merge: { spec: { replicas: 3 } } });
  // @ts-expect-error 'redy' does not exist in type
  await client.subresource(Memcached, 'default/cache', 'status').patch({ merge: { status: { redy: 1 } } });

  const read = await client.get(Memcached, 'default/cache');
  // @ts-expect-error 'read.status' is possibly 'undefined'.
  const ready = read.status.ready;
  const { items } = await client.list(Memcached);
  // @ts-expect-error 'status' is possibly 'undefined'.
  const nodes = items.map(({ status }) => status).map((status) => status.nodes);
  void [replicas, ready, nodes, read.spec.size];
}

// Conversions.

// @ts-expect-error Type 'string' has no properties in common with type 'LossyFields'.
@CustomResource({ group: 'cache.example.com', version: 'v1beta2', lossy: 'nobody uses it' })
export class LossyMemcached extends KubernetesObject {
  @Spec() spec!: { size: number };
}

@CustomResource({
  group: 'cache.example.com',
  version: 'v1beta2',
  lossy: { versions: { 'spec.size': 'nobody uses it' }, stored: { 'spec.size': 'nobody set it' } },
})
export class PartlyLossyMemcached extends KubernetesObject {
  @Spec() spec!: { size: number };
}

// @ts-expect-error spec.nodes is not a field of this class
@CustomResource({
  group: 'cache.example.com',
  version: 'v1beta1',
  conversion: { hub: () => Memcached, moves: { 'spec.nodes': 'spec.size' } },
})
export class MissingField extends KubernetesObject {
  @Spec() spec!: { count: number };
}

// @ts-expect-error spec.count and spec.size have different types
@CustomResource({
  group: 'cache.example.com',
  version: 'v1beta1',
  conversion: { hub: () => Memcached, moves: { 'spec.count': 'spec.size' } },
})
export class OtherType extends KubernetesObject {
  @Spec() spec!: { count: string };
}

// @ts-expect-error spec.sizes is not a field of the hub
@CustomResource({
  group: 'cache.example.com',
  version: 'v1beta1',
  conversion: { hub: () => Memcached, moves: { 'spec.count': 'spec.sizes' } },
})
export class MissingInHub extends KubernetesObject {
  @Spec() spec!: { count: number };
}

// @ts-expect-error toHub and fromHub must be for this class
@CustomResource({
  group: 'cache.example.com',
  version: 'v1beta1',
  conversion: {
    hub: () => Memcached,
    toHub: (spoke: MissingField, hub) => void Object.assign(hub.spec, { size: spoke.spec.count }),
    fromHub: (hub, spoke: MissingField) => void Object.assign(spoke.spec, { count: hub.spec.size }),
  },
})
export class OtherClass extends KubernetesObject {
  @Spec() spec!: { number: number };
}

@CustomResource({
  group: 'cache.example.com',
  version: 'v1beta1',
  conversion: {
    hub: () => Memcached,
    moves: { 'spec.count': 'spec.size', 'status.members': 'status.nodes' },
    toHub: (spoke: ConvertedMemcached, hub) => {
      hub.status.ready = spoke.status.members?.length ?? 0;
    },
    fromHub: () => undefined,
  },
})
export class ConvertedMemcached extends KubernetesObject {
  @Spec() spec!: { count: number };
  @Status() status!: { members?: string[] };
}
