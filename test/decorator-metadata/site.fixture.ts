// Each compiler compiles this file; see compilers.test.ts.

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
  Client,
  Clock,
  type Condition,
  Conditions,
  Controller,
  CustomResource,
  EventRecorder,
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
  Random,
  Rbac,
  Reconcile,
  Scale,
  Spec,
  Status,
  Watches,
} from 'evenkeel';
import { injectable, postConstruct } from 'inversify';
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

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Certificate extends KubernetesObject {}

@injectable()
export class BackupService {
  constructor(readonly clock: Clock) {}

  @postConstruct()
  open(): void {}
}

/** The shared declarations of controllers of any kind. */
export abstract class Base {
  constructor(
    protected readonly clock: Clock,
    protected readonly logger: Logger,
    @ListerOf(Site) protected readonly sites: Lister<Site>,
  ) {}

  @Index('tier')
  tierOf({ metadata }: KubernetesObject): string | undefined {
    return metadata.labels?.['tier'];
  }

  @Reconcile({ maxConcurrent: 2 })
  async reconcile({ metadata }: KubernetesObject): Promise<void> {
    this.logger.info('seen', { name: metadata.name, all: this.sites.list().length });
  }

  @Watches(Metadata(Site))
  onSite(site: Metadata<Site>): ObjectKey[] {
    return [ObjectKey.of(site)];
  }

  @Finalizer('example.com/late', { order: 1 })
  async removeLate({ metadata }: KubernetesObject): Promise<void> {
    this.logger.info('removed', { name: metadata.name });
  }

  @Finalizer('example.com/first')
  removeFirst(): void {}
}

/** Has its own declarations, and repeats some of its base's methods. */
@Controller(() => Site, { name: 'sites', acrossNamespaces: true })
@Owns(Site)
@Owns(() => Certificate)
@Rbac(Certificate, ['get'], { reason: 'reads certificates' })
export class SiteController extends Base {
  constructor(
    clock: Clock,
    logger: Logger,
    @ListerOf(() => Metadata(Site)) private readonly known: Lister<Metadata<Site>>,
    readonly client: Client,
    readonly random: Random,
    readonly recorder: EventRecorder,
    readonly backup: BackupService,
    @ListerOf(Site) sites: Lister<Site>,
  ) {
    super(clock, logger, sites);
  }

  @Every('1h')
  @Reconcile({ maxConcurrent: 4, timeout: '1m' })
  override async reconcile(site: Site): Promise<void> {
    await super.reconcile(site);
    this.logger.info('known', { all: this.known.list().length });
  }

  override removeFirst(): void {}

  @Watches(Certificate, { labels: { part: 'site' } })
  onCertificate(certificate: Certificate): ObjectKey[] {
    return [ObjectKey.of(certificate)];
  }

  @Index('issuer', Certificate)
  issuerOf({ metadata }: Certificate): string | undefined {
    return metadata.labels?.['issuer'];
  }

  @Rbac(Site, ['delete'])
  @Channel()
  async *signals(signal: AbortSignal): AsyncGenerator<ObjectKey> {
    if (!signal.aborted) yield new ObjectKey('home', 'default');
  }
}

/** Only names its kind; inherits the rest from its base, including the constructor. */
@Controller(Certificate)
export class PlainController extends Base {}
