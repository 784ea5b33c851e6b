import { listerOf, validatingWebhookFor } from 'evenkeel';
import { Site } from './webhooks-guide-site.fixture.ts';

export const hostIsFree = validatingWebhookFor(Site)
  .inject({ sites: listerOf(Site) })
  .admit(['create'], function hostIsFree({ spec: { host } }, review, { sites }) {
    if (sites.list().some(({ spec }) => spec.host === host)) review.duplicate('spec.host', host);
  });
