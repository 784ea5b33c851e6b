// Compiled by each compiler in turn; see compilers.test.ts.

import { Type } from 'class-transformer';
import {
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import {
  Channel,
  Clock,
  type Condition,
  Conditions,
  Controller,
  CustomResource,
  Every,
  Finalizer,
  Index,
  KubernetesObject,
  Lister,
  ListerOf,
  Logger,
  Metadata,
  ObjectKey,
  Owns,
  PrinterColumn,
  Reconcile,
  Scale,
  Spec,
  Status,
  Watches,
} from 'evenkeel';
import { Backup, type Schedule } from './backup.fixture.ts';

export enum Tier {
  Small = 'small',
  Large = 'large',
}

class Page {
  /** Where it is served. */
  @IsString()
  @Matches(/^\/[\w/]*$/)
  path!: string;
}

export class SiteSpec {
  /** How many. */
  @IsInt()
  @Min(1)
  @Max(5)
  size = 3;

  @IsOptional()
  @IsString()
  image?: string;

  @IsEnum(Tier)
  tier: Tier = Tier.Small;

  @IsIn(['http', 'https'])
  scheme: 'http' | 'https' = 'http';

  @ValidateNested({ each: true })
  @Type(() => Page)
  pages: Page[] = [];

  @IsOptional()
  @ValidateNested()
  backup?: Backup;

  @IsOptional()
  schedule?: Schedule;

  @IsOptional()
  @IsNumber()
  weight?: number | null;

  labels: Record<string, string> = {};

  bare?: boolean;
}

export class SiteStatus {
  @IsOptional() @IsInt() ready?: number;
  @Conditions() conditions?: Condition[];
}

/** A site. */
@CustomResource({ group: 'web.example.com', version: 'v1', shortNames: ['st'] })
@PrinterColumn({ name: 'Ready', type: 'integer', jsonPath: '.status.ready' })
@PrinterColumn({ name: 'Size', type: 'integer', jsonPath: '.spec.size' })
@Scale({ specReplicasPath: '.spec.size', statusReplicasPath: '.status.ready' })
export class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
  @Status() status!: SiteStatus;
}

class Base {
  @Index('tier')
  tierOf({ spec }: Site): string {
    return spec.tier;
  }
}

@Controller(() => Site, { name: 'sites' })
@Owns(Site)
export class SiteController extends Base {
  constructor(
    readonly clock: Clock,
    protected readonly logger: Logger,
    @ListerOf(Site) private readonly sites: Lister<Site>,
  ) {
    super();
  }

  @Every('1h')
  @Reconcile({ maxConcurrent: 2 })
  async reconcile(site: Site): Promise<void> {
    this.logger.info('seen', { name: site.metadata.name, all: this.sites.list().length });
  }

  @Watches(Metadata(Site))
  onSite(site: Metadata<Site>): ObjectKey[] {
    return [ObjectKey.of(site)];
  }

  @Finalizer('example.com/late', { order: 1 })
  async removeLate(site: Site): Promise<void> {
    this.logger.info('removed', { name: site.metadata.name });
  }

  @Finalizer('example.com/first')
  removeFirst(): void {}

  @Channel()
  async *signals(signal: AbortSignal): AsyncGenerator<ObjectKey> {
    if (!signal.aborted) yield new ObjectKey('home', 'default');
  }
}
