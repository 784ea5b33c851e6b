import { request } from 'node:https';
import { httpsTransport, loadConnection } from '@evenkeel/client';
import { Controller, Reconcile } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { createManager, type Manager } from '../../packages/runtime/src/manager/manager.ts';
import { describeWithRealServer, type RealServer, startRealServer } from '../real-server.fixture.ts';

@Controller(ConfigMap, { name: 'idle' })
class Idle {
  @Reconcile()
  reconcile(): void {}
}

describeWithRealServer('the metrics server on an address other than loopback, with a real API server', () => {
  let server: RealServer;
  let manager: Manager;

  async function tokenOf(account: string): Promise<string> {
    await server.send('POST', '/api/v1/namespaces/default/serviceaccounts', { body: { metadata: { name: account } } });
    const { body } = await server.send('POST', `/api/v1/namespaces/default/serviceaccounts/${account}/token`, {
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
    });
    return String(body.status.token);
  }

  async function bind(role: string, account: string, rules: readonly object[]): Promise<void> {
    const groupName = 'rbac.authorization.k8s.io';
    const at = `/apis/${groupName}/v1`;
    await server.send('POST', `${at}/clusterroles`, { body: { metadata: { name: role }, rules } });
    await server.send('POST', `${at}/clusterrolebindings`, {
      body: {
        metadata: { name: role },
        roleRef: { apiGroup: groupName, kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'ServiceAccount', name: account, namespace: 'default' }],
      },
    });
  }

  async function scrape(headers: Record<string, string>): Promise<{ status: number; body: string }> {
    const port = Number(manager.addresses.metrics?.split(':').at(-1));
    return await new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port, path: '/metrics', headers, rejectUnauthorized: false, agent: false };
      const sent = request(options, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  beforeAll(async () => {
    server = await startRealServer();
    // The operator has only the permissions that it needs for this and for its controller.
    const token = await tokenOf('operator');
    await bind('operator', 'operator', [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] },
      { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
      { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
    ]);
    const administrator = await loadConnection({ kubeconfig: server.kubeconfig, environment: {} });
    const connection = {
      ...administrator,
      credentials: async () => ({ headers: { authorization: `Bearer ${token}` } }),
    };
    // Nothing leaves the machine: requests to other addresses go to a loopback address.
    const metrics = { address: '127.0.0.1:0', secure: true };
    manager = await createManager({ transport: httpsTransport(connection), controllers: [Idle], metrics });
    await manager.start();
    await manager.waitUntilReady(AbortSignal.timeout(90_000));
  });

  afterAll(async () => {
    await manager?.stop();
    await server?.stop();
  });

  it('responds with 401 without a token, or with a token that does not belong to the cluster', async () => {
    expect(await scrape({})).toEqual({ status: 401, body: 'Unauthorized\n' });
    expect(await scrape({ authorization: 'Bearer forged' })).toEqual({ status: 401, body: 'Unauthorized\n' });
  });

  it('responds with 403 to a user that may not get /metrics', async () => {
    const token = await tokenOf('stranger');
    expect(await scrape({ authorization: `Bearer ${token}` })).toEqual({
      status: 403,
      body: 'system:serviceaccount:default:stranger may not get /metrics\n',
    });
  });

  it('responds with 200 to a user that may, and allows nothing else', async () => {
    const token = await tokenOf('prometheus');
    await bind('metrics-reader', 'prometheus', [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]);
    // The server's authorizer receives the change a moment later.
    const spec = {
      user: 'system:serviceaccount:default:prometheus',
      nonResourceAttributes: { path: '/metrics', verb: 'get' },
    };
    const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    await server.sendUntil(({ body: review }) => review.status?.allowed === true, 'POST', reviews, { body: { spec } });
    const { status, body } = await scrape({ authorization: `Bearer ${token}` });
    expect(status).toBe(200);
    expect(body).toContain('controller_runtime_reconcile_total{controller="idle",result="success"}');
  });

  it('does not respond to plain HTTP', async () => {
    const answer = fetch(`http://${manager.addresses.metrics}/metrics`);
    await expect(answer).rejects.toThrow('fetch failed');
  });
});
