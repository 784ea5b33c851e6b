import {
  awaitChange,
  Client,
  ConfigMap,
  Controller,
  Finalizer,
  generationChanged,
  Index,
  Lister,
  ListerOf,
  Logger,
  Metadata,
  ObjectKey,
  Owns,
  Reconcile,
  ReconcileContext,
  type ReconcileResult,
  requeueAfter,
  Secret,
  TerminalError,
  Watches,
} from 'evenkeel';
import { Site } from './site.ts';

@Controller(Site, { predicates: [generationChanged] })
@Owns(ConfigMap)
export class SiteController {
  constructor(
    @ListerOf(Site) private readonly sites: Lister<Site>,
    private readonly client: Client,
    private readonly logger: Logger,
  ) {}

  @Reconcile({ maxConcurrent: 2, timeout: '1m' })
  async reconcile(site: Site, context: ReconcileContext): Promise<ReconcileResult> {
    if (site.spec.text === '') throw new TerminalError('the text is empty');
    const { namespace = 'default' } = site.metadata;
    for (let copy = 0; copy < site.spec.copies; copy++) {
      await context.apply<ConfigMap>({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: `${site.metadata.name}-${copy}` },
        data: { text: site.spec.text },
      });
    }
    await context.prune(ConfigMap);
    const maps = await this.client.list(ConfigMap, { namespace });
    this.logger.info('published', { maps: maps.items.length, sites: this.sites.list({ namespace }).length });
    site.status.published = site.spec.copies;
    context.conditions.set('Ready', true, 'Published');
    return maps.items.length < site.spec.copies ? requeueAfter('1s') : awaitChange();
  }

  @Finalizer('packed.example.com/farewell')
  farewell(site: Site): void {
    this.logger.info('goodbye', { site: site.metadata.name });
  }

  @Index('text')
  byText(site: Site): string[] {
    return [site.spec.text];
  }

  @Watches(Metadata(Secret))
  sitesOf(secret: Metadata<Secret>): ObjectKey[] {
    return this.sites
      .list()
      .flatMap((site) => (site.metadata.name === secret.metadata.name ? [ObjectKey.of(site)] : []));
  }
}
