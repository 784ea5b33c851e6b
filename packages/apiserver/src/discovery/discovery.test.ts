import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions } from '@evenkeel/core';
import { builtinGroups } from '@evenkeel/kinds/discovery';
import { describeWithRecordings, recordings } from '../../../../test/recordings.fixture.ts';
import { apiGroupDiscoveryList } from './aggregated-discovery.ts';
import { apiGroup, apiResourceList } from './legacy-discovery.ts';

const recorded = (name: string): unknown => JSON.parse(readFileSync(join(recordings, name), 'utf8'));
const notCustom = (): boolean => false;

describeWithRecordings('aggregated discovery', () => {
  it('equals the response of the real server to /api', () => {
    const core = builtinGroups.filter(({ name }) => name === '');
    expect(apiGroupDiscoveryList(core, notCustom)).toEqual(recorded('aggregated-api.json'));
  });

  it('equals the response of the real server to /apis', () => {
    const others = builtinGroups.filter(({ name }) => name !== '');
    expect(apiGroupDiscoveryList(others, notCustom)).toEqual(recorded('aggregated-apis.json'));
  });
});

describe('legacy discovery', () => {
  it('lists subresources after their resource', () => {
    const apps = builtinGroups.find(({ name }) => name === 'apps');
    const version = apps?.versions[0];
    if (apps === undefined || version === undefined) throw new Error('no group apps');
    expect(apiGroup(apps)).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      name: 'apps',
      versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
      preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
    });
    const names = (apiResourceList('apps', version) as { resources: { name: string }[] }).resources.map(
      ({ name }) => name,
    );
    expect(names.slice(names.indexOf('deployments'), names.indexOf('deployments') + 3)).toEqual([
      'deployments',
      'deployments/scale',
      'deployments/status',
    ]);
  });
});

describe('compareVersions', () => {
  it('sorts stable versions first, then newer ones, and other names last', () => {
    const versions = ['v1alpha1', 'foo', 'v2beta1', 'v1', 'v10', 'v2', 'v1beta2', 'bar'];
    expect(versions.sort(compareVersions)).toEqual(['v10', 'v2', 'v1', 'v2beta1', 'v1beta2', 'v1alpha1', 'bar', 'foo']);
  });
});
