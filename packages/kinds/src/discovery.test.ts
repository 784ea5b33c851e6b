import { type BuiltinResource, type BuiltinSubresource, builtinGroups } from './discovery.ts';

function resource(group: string, version: string, name: string): BuiltinResource {
  const found = builtinGroups
    .find((candidate) => candidate.name === group)
    ?.versions.find((candidate) => candidate.version === version)
    ?.resources.find((candidate) => candidate.resource === name);
  if (found === undefined) throw new Error(`no ${name} in ${group}/${version}`);
  return found;
}

function subresource(of: BuiltinResource, name: string): BuiltinSubresource | undefined {
  return of.subresources?.find((candidate) => candidate.subresource === name);
}

describe('builtinGroups', () => {
  it('starts with the core group and prefers autoscaling/v2', () => {
    expect(builtinGroups[0]?.name).toBe('');
    const autoscaling = builtinGroups.find(({ name }) => name === 'autoscaling');
    expect(autoscaling?.versions.map(({ version }) => version)).toEqual(['v2', 'v1']);
  });

  it('names the group and version of a subresource only if they differ from those of its resource', () => {
    const deployments = resource('apps', 'v1', 'deployments');
    expect(subresource(deployments, 'scale')).toMatchObject({
      group: 'autoscaling',
      version: 'v1',
      kind: 'Scale',
      definition: 'io.k8s.api.autoscaling.v1.Scale',
    });
    expect(subresource(deployments, 'status')).not.toHaveProperty('group');
    expect(subresource(resource('', 'v1', 'pods'), 'eviction')).toMatchObject({ group: 'policy', kind: 'Eviction' });
  });

  it('has the storage version hashes of a real server, also if another version is stored', () => {
    expect(resource('', 'v1', 'configmaps').storageVersionHash).toBe('qFsyl6wFWjQ=');
    // Stored as core events.
    expect(resource('events.k8s.io', 'v1', 'events').storageVersionHash).toBe('r2yiGXH7wu8=');
    expect(resource('admissionregistration.k8s.io', 'v1', 'mutatingadmissionpolicies').storageVersionHash).toBe(
      'LYmCf+UMVdg=',
    );
    expect(resource('apiextensions.k8s.io', 'v1', 'customresourcedefinitions').storageVersionHash).toBe('jfWCUB31mvA=');
    expect(resource('authentication.k8s.io', 'v1', 'tokenreviews')).not.toHaveProperty('storageVersionHash');
  });

  it('has the deletes that return the object, and the parameters of connections', () => {
    const pods = resource('', 'v1', 'pods');
    expect(pods.returnsDeletedObject).toBe(true);
    expect(resource('', 'v1', 'configmaps')).not.toHaveProperty('returnsDeletedObject');
    expect(subresource(pods, 'portforward')).toMatchObject({ connect: true, queryParameters: { ports: 'integer' } });
    expect(subresource(pods, 'log')?.queryParameters).toMatchObject({ follow: 'boolean', tailLines: 'integer' });
    expect(subresource(pods, 'log')).not.toHaveProperty('connect');
    expect(subresource(pods, 'status')).not.toHaveProperty('queryParameters');
  });
});
