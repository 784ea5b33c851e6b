import { authoritySecretType } from '@evenkeel/core/certificates';
import { ClusterRole, CustomResourceDefinition, Deployment, Namespace, Secret } from '@evenkeel/kinds';
import { eventually } from '@evenkeel/testing';
import { DeployedSites, namespace, siteKind } from './deployed-sites.fixture.ts';

let sites: DeployedSites;
beforeEach(async () => {
  sites = await DeployedSites.create();
  expect((await sites.run('deploy')).exitCode).toBe(0);
});
afterEach(async () => sites.close());

const createSite = (name: string, finalizers: string[] = []) =>
  sites.client.create(siteKind, { metadata: { name, namespace: 'default', finalizers }, spec: {} });
const deployment = { namespace, name: 'sites' };

describe('evenkeel undeploy', () => {
  it('deletes in the reverse order, and keeps the CRDs with their objects, and the namespace', async () => {
    await createSite('blog', ['example.com/cleanup']);
    const { exitCode, out, err } = await sites.run('undeploy');
    expect(exitCode).toBe(0);
    expect(out.split('\n')).toEqual([
      'deployment.apps/sites deleted',
      'clusterrolebinding.rbac.authorization.k8s.io/sites deleted',
      'clusterrole.rbac.authorization.k8s.io/sites deleted',
      'serviceaccount/sites deleted',
      ...['viewer', 'editor', 'admin'].map(
        (level) => `clusterrole.rbac.authorization.k8s.io/sites.example.com-${level} deleted`,
      ),
      'customresourcedefinition.apiextensions.k8s.io/sites.example.com kept: it has 1 object; pass --delete-crds to delete both',
      'namespace/sites-system kept: pass --delete-namespace to delete it',
      'undeployed: 7 deleted, 2 kept',
    ]);
    expect(err).toContain(
      'notice: sites.example.com: objects with finalizers (1) cannot be deleted until the operator is deployed again',
    );
    const again = await sites.run('undeploy');
    expect(again).toMatchObject({ exitCode: 0, out: expect.stringContaining('undeployed: 2 kept') });
  });

  it('writes nothing in a dry run', async () => {
    await createSite('blog');
    const { exitCode, out, err } = await sites.run('undeploy', '--delete-crds', '--dry-run=server');
    expect(exitCode).toBe(0);
    expect(err).toContain('deletes 1 object of the kind Site (sites.example.com)');
    expect(out).toContain('would undeploy: 8 deleted, 1 kept');
    expect((await sites.run('deploy', '--dry-run=server')).out).toContain('would deploy: 9 unchanged');
    expect((await sites.client.list(siteKind)).items).toHaveLength(1);
  });

  it('deletes CRDs only after a confirmation that counts the objects', async () => {
    await createSite('blog');
    await createSite('shop');
    const refused = await sites.run('undeploy', '--delete-crds', '--delete-namespace');
    expect({ ...refused, err: refused.err.split('\n').slice(1) }).toEqual({
      exitCode: 1,
      out: '',
      err: [
        'deletes 2 objects of the kind Site (sites.example.com)',
        'deletes the namespace of the operator, with everything in it',
        'error: nothing was deleted; pass --yes to delete these objects without confirmation [confirmation-required]',
      ],
    });
    expect((await sites.client.list(siteKind)).items).toHaveLength(2);
    const { exitCode, out } = await sites.run('undeploy', '--delete-crds', '--delete-namespace', '--yes');
    expect(exitCode).toBe(0);
    expect(out).toContain('deleted 2 objects of the kind Site (sites.example.com)\ndeployment.apps/sites deleted');
    expect(out).toContain('customresourcedefinition.apiextensions.k8s.io/sites.example.com deleted');
    await expect(sites.client.get(CustomResourceDefinition, 'sites.example.com')).rejects.toThrow('not found');
    await expect(sites.client.get(Namespace, namespace)).rejects.toThrow('not found');
  });

  it('waits for finalizers while the operator runs, and names those that stay', async () => {
    await createSite('blog', ['example.com/cleanup']);
    const stuck = await sites.run('undeploy', '--delete-crds', '--yes', '--timeout', '1s');
    expect(stuck.exitCode).toBe(1);
    expect(stuck.err).toContain('waiting for the finalizers of 1 sites');
    expect(stuck.err).toContain(
      'sites.example.com: 1 object still exists after the time limit, and nothing else was deleted',
    );
    expect(stuck.err).toContain('[deletion-stuck]\n    default/blog: finalizers example.com/cleanup');
    await sites.client.get(Deployment, deployment);
    const running = sites.run('undeploy', '--delete-crds', '--yes');
    // The operator does this.
    await eventually(() =>
      sites.client.patch(siteKind, 'default/blog', { merge: { metadata: { finalizers: [] } } as never }),
    );
    expect((await running).exitCode).toBe(0);
  });

  it('keeps what others own, and deletes what the operator has created for itself', async () => {
    await sites.close();
    sites = await DeployedSites.create({ hasWebhook: true });
    await sites.deployWithWebhook('LS0t');
    await sites.client.create(Secret, {
      metadata: { name: 'sites-webhook-authority', namespace },
      type: authoritySecretType,
    });
    await sites.client.delete(ClusterRole, 'sites');
    await sites.client.create(ClusterRole, { metadata: { name: 'sites' }, rules: [] });
    const { exitCode, out } = await sites.run('undeploy');
    expect(exitCode).toBe(0);
    expect(out.split('\n')[0]).toBe('validatingwebhookconfiguration.admissionregistration.k8s.io/sites deleted');
    expect(out).toContain('clusterrole.rbac.authorization.k8s.io/sites kept: it belongs to somebody');
    expect(out).toContain('secret/sites-webhook-authority deleted');
  });

  it('removes a deployment in another namespace, without what both have', async () => {
    await sites.change({ deployment: "namespace: 'moved'" });
    const moved = await sites.run('deploy');
    expect(moved.err).toContain(
      'notice: the operator is also deployed in the namespace sites-system; if it has moved, run "evenkeel undeploy --namespace sites-system"',
    );
    const { exitCode, out } = await sites.run('undeploy', '--namespace', namespace);
    expect(exitCode).toBe(0);
    expect(out.split('\n').filter((line) => line.endsWith(' deleted'))).toEqual([
      'deployment.apps/sites deleted',
      'serviceaccount/sites deleted',
    ]);
    expect((await sites.run('deploy', '--dry-run=server')).out).toContain('would deploy: 9 unchanged');
  });
});

describe('evenkeel uninstall', () => {
  it('deletes the CRDs and their objects after a confirmation', async () => {
    await createSite('blog');
    expect((await sites.run('uninstall')).err).toContain('[confirmation-required]');
    const { exitCode, out } = await sites.run('uninstall', '--yes');
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: 'deleted 1 object of the kind Site (sites.example.com)\ncustomresourcedefinition.apiextensions.k8s.io/sites.example.com deleted\nuninstalled: 1 deleted',
    });
    await sites.client.get(Deployment, deployment);
  });
});
