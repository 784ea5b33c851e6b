import { pluralOf } from '../declarations/resource-of.ts';
import { apiVersionOf, groupResourceOf, parseApiVersion } from './api-resource.ts';
import { formatGroupVersionKind, groupVersionKindOf } from './group-version-kind.ts';

describe('names of kinds and resources', () => {
  it('omit the core group, which is the empty string', () => {
    const pods = { group: '', version: 'v1', plural: 'pods' };
    const deployments = { group: 'apps', version: 'v1', plural: 'deployments' };
    expect([pods, deployments].map(apiVersionOf)).toEqual(['v1', 'apps/v1']);
    expect([pods, deployments].map(groupResourceOf)).toEqual(['pods', 'deployments.apps']);
  });

  it.each([
    { group: '', version: 'v1' },
    { group: 'web.example.com', version: 'v1alpha1' },
  ])('are parsed from an apiVersion: %j', (names) => {
    expect(parseApiVersion(apiVersionOf(names))).toEqual(names);
  });

  it('are formatted like in Kubernetes', () => {
    const written = (apiVersion: string, kind: string): string =>
      formatGroupVersionKind(groupVersionKindOf({ apiVersion, kind }));
    expect(written('apps/v1', 'Deployment')).toBe('apps/v1, Kind=Deployment');
    expect(written('v1', 'Pod')).toBe('v1, Kind=Pod');
  });

  it.each([
    ['Website', 'websites'],
    ['Proxy', 'proxies'],
    ['Ingress', 'ingresses'],
    ['Nginx', 'nginxes'],
    ['Gateway', 'gateways'],
    ['Endpoints', 'endpoints'],
    ['Series', 'series'],
    ['TimeSeries', 'timeseries'],
    ['Species', 'species'],
    ['Aircraft', 'aircraft'],
    ['Fish', 'fish'],
    ['Swordfish', 'swordfishes'],
  ])('have the English plural of %s: %s', (kind, plural) => {
    expect(pluralOf(kind)).toBe(plural);
  });
});
