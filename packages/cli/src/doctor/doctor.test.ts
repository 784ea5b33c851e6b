import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { ClusterRoleBinding, CustomResourceDefinition, Lease, Secret } from '@evenkeel/kinds';
import { DeployedSites, namespace, type SitesOptions, siteKind } from '../deploy/deployed-sites.fixture.ts';

let sites: DeployedSites;
const start = async (...options: Parameters<typeof DeployedSites.create>): Promise<void> => {
  sites = await DeployedSites.create(...options);
};
afterEach(async () => sites.close());

/** The results of checks, by their names. */
async function results(...words: string[]): Promise<{ exitCode: number; checks: Record<string, string> }> {
  const { exitCode, out } = await sites.run('doctor', '--output', 'json', ...words);
  const { checks } = JSON.parse(out) as { checks: { check: string; status: string; message: string }[] };
  return {
    exitCode,
    checks: Object.fromEntries(checks.map(({ check, status, message }) => [check, `${status}: ${message}`])),
  };
}

const leading: SitesOptions = { declares: 'leaderElection: true' };

async function lead(renewedSecondsAgo: number, leaseDurationSeconds: number): Promise<void> {
  const renewTime = new Date(Date.now() - renewedSecondsAgo * 1000).toISOString().replace('Z', '000Z');
  await sites.client.apply(
    Lease,
    {
      metadata: { namespace, name: 'sites' },
      spec: { holderIdentity: 'sites-0', leaseDurationSeconds, renewTime },
    },
    { force: true },
  );
}

describe('evenkeel doctor', () => {
  it('finds nothing wrong with an operator that works', async () => {
    await start(leading);
    await sites.run('deploy');
    await lead(2, 3600);
    const { exitCode, out } = await sites.run('doctor');
    expect(exitCode).toBe(0);
    expect(out.replace(/\b\d+ s ago/, 'SECONDS ago').split('\n')).toEqual([
      'ok       server version: Kubernetes 1.36; the operator needs 1.31 or newer',
      'ok       CRD sites.example.com: it matches the classes',
      'ok       deployment: 1 of 1 pods of sites-system/sites are available',
      'ok       permissions: the ServiceAccount sites-system/sites has all 8 permissions of its roles',
      'ok       leader: sites-0 renewed the Lease sites-system/sites SECONDS ago',
      'ok       finalizers: none of 0 objects waits for its finalizers',
      'ok       generated files: they are not written, and deploy does not need them',
      'ok       deployed version: it was deployed by evenkeel 0.1.0',
    ]);
  });

  it('reports what is missing before the first deployment', async () => {
    await start(leading);
    expect(await results()).toMatchObject({
      exitCode: 1,
      checks: {
        'CRD sites.example.com': 'failed: it is not installed',
        deployment: 'failed: the Deployment sites-system/sites does not exist',
        permissions: 'failed: the ServiceAccount sites-system/sites lacks 8 of 8 permissions',
        leader: 'failed: the Lease sites-system/sites does not exist',
        'deployed version': 'warning: the operator was not deployed by "evenkeel deploy"',
      },
    });
  });

  it('finds a changed CRD, missing permissions, an old Lease and stale files, with the fixes', async () => {
    await start(leading);
    await sites.run('deploy');
    await lead(40, 15);
    await sites.client.delete(ClusterRoleBinding, 'sites');
    await sites.project.run('generate');
    await sites.change({ ...leading, spec: "host: string = 'example.com'; port: number = 80;" });
    const { exitCode, out } = await sites.run('doctor');
    expect(exitCode).toBe(1);
    for (const line of [
      '           spec.versions[v1].schema.openAPIV3Schema.properties.spec.properties.port: nothing -> {"type":"number","default":80}',
      '           fix: run "evenkeel install" or "evenkeel deploy"',
      'failed   permissions: the ServiceAccount sites-system/sites lacks 4 of 8 permissions',
      '           list sites.example.com',
      '           fix: run "evenkeel deploy", which applies the roles',
      'warning  generated files: they do not match evenkeel 0.1.0 and the current classes',
      '           fix: run "evenkeel generate"',
    ]) {
      expect(out.split('\n')).toContain(line);
    }
    expect(out).toMatch(/failed {3}leader: sites-0 renewed the Lease \S+ \d+ s ago, and must do so every 15 s/);
  });

  it('finds objects whose deletion is stuck, and stored versions without a class', async () => {
    await start();
    await sites.run('deploy');
    const metadata = { name: 'blog', namespace: 'default', finalizers: ['example.com/cleanup'] };
    await sites.client.create(siteKind, { metadata, spec: {} });
    await sites.client.delete(siteKind, 'default/blog');
    expect((await results()).checks['finalizers']).toBe('ok: none of 1 objects waits for its finalizers');
    await sites.client
      .subresource(CustomResourceDefinition, 'sites.example.com', 'status')
      .patch({ merge: { status: { storedVersions: ['v1beta1', 'v1'] } } as never });
    const { exitCode, checks } = await results('--stuck-after', '0s');
    expect(exitCode).toBe(1);
    expect(checks['finalizers']).toBe('failed: the deletion of 1 objects is stuck');
    expect(checks['CRD sites.example.com']).toBe('failed: objects are stored in versions without a class: v1beta1');
  });

  it('compares the certificates of webhooks with those that the API server trusts, and reports their end', async () => {
    await start({ hasWebhook: true });
    const hour = 60 * 60 * 1000;
    const [own, other] = ['own', 'other'].map((name) => new CertificateAuthority(name, Date.now(), 1000 * hour));
    const base64 = (authority: CertificateAuthority | undefined) =>
      Buffer.from(authority?.certificatePem ?? '').toString('base64');
    await sites.deployWithWebhook(base64(other));
    const metadata = { name: 'sites-webhook-authority', namespace };
    await sites.client.create(Secret, { metadata, data: { 'ca.crt': base64(own), 'ca.key': 'c2VjcmV0' } });
    const before = await sites.run('doctor');
    expect(before.out).toContain('failed   certificates: a caBundle does not trust the current certificate');
    expect(before.out).not.toContain('c2VjcmV0');
    await sites.trust(base64(own));
    const { exitCode, checks } = await results();
    expect({ exitCode, webhooks: checks['webhooks'] }).toEqual({
      exitCode: 0,
      webhooks: 'ok: they have a ready endpoint and a caBundle',
    });
    expect(checks['certificates']).toMatch(/^ok: valid until 20\d\d-/);
    const soon = new CertificateAuthority('own', Date.now(), 24 * hour);
    await sites.trust(base64(soon));
    await sites.client.apply(Secret, { metadata, data: { 'ca.crt': base64(soon) } }, { force: true });
    expect((await results()).checks['certificates']).toMatch(/^warning: the certificate expires on 20\d\d-/);
  });

  it('warns about what the user must not see', async () => {
    const groups = ['system:authenticated'];
    await start(leading, { tokens: { weak: { name: 'eve', uid: 'eve', groups, extra: {} } } });
    await sites.writeToken('weak', 'weak');
    const { exitCode, out } = await sites.project.run('doctor', '--kubeconfig', 'weak');
    expect(exitCode).toBe(0);
    expect(out).toContain(
      'warning  permissions: the user of this context may not check the permissions of other users',
    );
    expect(out).toContain(
      'warning  CRDs: not checked: get customresourcedefinitions.apiextensions.k8s.io sites.example.com: ',
    );
  });

  it('rejects an invalid duration', async () => {
    await start();
    expect((await sites.run('doctor', '--stuck-after', 'soon')).err).toMatch(
      /^error: --stuck-after: .*\[invalid-option\]$/,
    );
  });
});
