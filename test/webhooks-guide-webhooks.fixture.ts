import { type AdmissionReview, Admit, type Lister, ListerOf, MutatingWebhook, ValidatingWebhook } from 'evenkeel';
import { Site } from './webhooks-guide-site.fixture.ts';

@MutatingWebhook(Site)
export class SiteDefaults {
  @Admit('create', 'update')
  setHost(site: Site): void {
    site.spec.host ??= `${site.metadata.name}.example.com`;
  }
}

@ValidatingWebhook(Site)
export class SiteValidator {
  constructor(@ListerOf(Site) private readonly sites: Lister<Site>) {}

  @Admit('create', 'update')
  hostIsFree(site: Site, review: AdmissionReview<Site>): void {
    const { host } = site.spec;
    const isSame = ({ metadata }: Pick<Site, 'metadata'>) =>
      metadata.name === review.name && metadata.namespace === review.namespace;
    if (this.sites.list().some((other) => !isSame(other) && other.spec.host === host)) {
      review.duplicate('spec.host', host);
    }
    if (host?.endsWith('.test') === true) review.warn(`${host} is reachable only in your network`);
  }

  @Admit('delete')
  isUnprotected(site: Site, review: AdmissionReview<Site>): void {
    if (site.metadata.annotations?.['web.example.com/protected'] === 'true') {
      review.deny('the site is protected; remove the annotation web.example.com/protected first');
    }
  }
}
