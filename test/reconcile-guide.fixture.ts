import { EventEmitter, on } from 'node:events';
import { IsString } from 'class-validator';
import {
  awaitChange,
  Channel,
  type Condition,
  Conditions,
  ConfigMap,
  Controller,
  CustomResource,
  Every,
  Finalizer,
  generationChanged,
  KubernetesObject,
  ObjectKey,
  Owns,
  Rbac,
  Reconcile,
  ReconcileContext,
  type ReconcileResult,
  Spec,
  Status,
} from 'evenkeel';

export class SiteSpec {
  @IsString() host!: string;
  @IsString({ each: true }) pages: string[] = [];
}

export class SiteStatus {
  @Conditions() conditions?: Condition[];
}

@CustomResource({ group: 'docs.example.com', version: 'v1' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
  @Status() status!: SiteStatus;
}

/** Simulates a system outside of the cluster. */
export class Dns {
  readonly records = new Map<string, string>();
  readonly events = new EventEmitter();
}

@Controller(Site, { predicates: [generationChanged] })
@Owns(ConfigMap)
@Rbac(ConfigMap, ['delete'], { reason: 'prunes removed pages' })
export class SiteController {
  constructor(private readonly dns: Dns) {}

  @Every('1h')
  @Reconcile({ maxConcurrent: 4, timeout: '1m' })
  async reconcile(site: Site, context: ReconcileContext): Promise<ReconcileResult> {
    this.dns.records.set(site.spec.host, site.metadata.name);
    for (const page of site.spec.pages) {
      await context.apply<ConfigMap>({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `${site.metadata.name}-${page}` },
        data: { page },
      });
    }
    await context.prune(ConfigMap);
    context.conditions.set('Available', true, 'Published', `${site.spec.pages.length} pages`);
    return awaitChange();
  }

  @Finalizer('docs.example.com/dns-record')
  removeRecord(site: Site): void {
    this.dns.records.delete(site.spec.host);
  }

  @Channel()
  async *lostRecords(signal: AbortSignal): AsyncGenerator<ObjectKey> {
    for await (const [site, namespace] of on(this.dns.events, 'lost', { signal })) {
      yield new ObjectKey(String(site), String(namespace));
    }
  }
}
