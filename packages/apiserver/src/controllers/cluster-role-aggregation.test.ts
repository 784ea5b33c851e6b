import { ControlledServer } from './controlled-server.fixture.ts';

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';

describe('the aggregation of ClusterRoles', () => {
  let server: ControlledServer;
  beforeAll(async () => {
    server = await ControlledServer.start();
  });
  afterAll(() => server.close());

  const rule = (resource: string): object => ({ apiGroups: ['example.com'], resources: [resource], verbs: ['get'] });

  it('follows the roles that are selected, each rule once', async () => {
    const labels = { 'example.com/aggregate': 'true' };
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
    await server.send('POST', roles, { metadata: { name: 'all' }, aggregationRule });
    await server.send('POST', roles, { metadata: { name: 'b', labels }, rules: [rule('bees'), rule('ants')] });
    await server.send('POST', roles, { metadata: { name: 'a', labels }, rules: [rule('ants')] });
    await server.send('POST', roles, { metadata: { name: 'c' }, rules: [rule('cats')] });
    await server.quiet();
    expect((await server.send('GET', `${roles}/all`)).rules).toEqual([rule('ants'), rule('bees')]);
    await server.send('DELETE', `${roles}/b`);
    await server.quiet();
    expect((await server.send('GET', `${roles}/all`)).rules).toEqual([rule('ants')]);
  });

  it('extends the roles of every cluster', async () => {
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' };
    await server.send('POST', roles, { metadata: { name: 'dogs', labels }, rules: [rule('dogs')] });
    await server.quiet();
    expect((await server.send('GET', `${roles}/view`)).rules).toContainEqual(rule('dogs'));
  });
});
