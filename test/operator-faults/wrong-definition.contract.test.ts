import { type Client, createClient } from '@evenkeel/client';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { FaultProxy } from '../fault-proxy.fixture.ts';
import { installSites } from './backend-environment.fixture.ts';
import { SiteOperator } from './proxied-operator.fixture.ts';
import { siteDefinition } from './site-operator.fixture.ts';

const tests = (start: () => Promise<ApiBackend>): void => {
  let backend: ApiBackend;
  let client: Client;
  let proxy: FaultProxy;
  let operator: SiteOperator | undefined;

  beforeAll(async () => {
    backend = await start();
    client = createClient(backend.transport(), { fieldManager: 'test' });
    proxy = await FaultProxy.start(backend.transport());
  });

  afterAll(async () => {
    await operator?.stop();
    await proxy.close();
    await backend.stop();
  });

  it('lacks the status: each run fails with this reason until the CRD is fixed', async () => {
    const lacking = siteDefinition();
    for (const version of lacking.spec.versions) delete version.subresources;
    await installSites(client, lacking);
    operator = await SiteOperator.start(client, proxy.connection);
    await operator.create('statusless', { pages: ['home'], text: 'first' });
    await operator.eventually(() => {
      expect(operator?.runs.at(-1)?.outcome).toBe('failed');
    });
    expect(operator.runs.at(-1)?.error).toMatchObject({ code: 'status-not-served' });
    expect(String(operator.runs.at(-1)?.error)).toContain(
      `cannot write the status of Site ${operator.key('statusless')}: the API server does not serve the status`,
    );
    await installSites(client);
    await operator.converges();
  });
};

describeOnEveryServer('a definition that', tests, { embedded: 'in process' });
