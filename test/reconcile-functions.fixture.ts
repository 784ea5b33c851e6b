import { on } from 'node:events';
import { ConfigMap, controllerFor, generationChanged, ObjectKey, type ReconcileContext } from 'evenkeel';
import { Dns, Site } from './reconcile-guide.fixture.ts';

interface Services {
  readonly dns: Dns;
}

async function reconcile(site: Site, context: ReconcileContext, { dns }: Services): Promise<void> {
  dns.records.set(site.spec.host, site.metadata.name);
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
}

async function* lostRecords(signal: AbortSignal, { dns }: Services): AsyncGenerator<ObjectKey> {
  for await (const [site, namespace] of on(dns.events, 'lost', { signal })) {
    yield new ObjectKey(String(site), String(namespace));
  }
}

export const siteController = controllerFor(Site, { predicates: [generationChanged] })
  .inject({ dns: Dns })
  .owns(ConfigMap)
  .rbac(ConfigMap, ['delete'], { reason: 'prunes removed pages' })
  .every('1h')
  .finalizer('docs.example.com/dns-record', function removeRecord(site, _context, { dns }) {
    dns.records.delete(site.spec.host);
  })
  .channel(lostRecords)
  .reconcile(reconcile, { maxConcurrent: 4, timeout: '1m' });
