import { DeployedSites } from './deployed-sites.fixture.ts';

let sites: DeployedSites;
beforeEach(async () => {
  sites = await DeployedSites.create();
});
afterEach(() => sites.close());

/** Changes the name of the operator in the project. */
async function rename(from: string, to: string): Promise<void> {
  const path = 'src/operator.ts';
  await sites.project.write({ [path]: (await sites.project.read(path)).replace(`name: '${from}'`, `name: '${to}'`) });
}

describe('an operator that was renamed', () => {
  it('is reported if both names are deployed, and undeploy of the old name keeps the shared objects', async () => {
    expect((await sites.run('deploy')).exitCode).toBe(0);
    await rename('sites', 'pages');
    const renamed = await sites.run('deploy');
    expect(renamed.err).toContain(
      'notice: the operator sites in the namespace sites-system has the same CRDs (sites.example.com); if sites is the old name of this operator, set it again, run "evenkeel undeploy", and then set the new name',
    );
    await rename('pages', 'sites');
    const { exitCode, out } = await sites.run('undeploy', '--delete-crds', '--yes');
    expect(exitCode).toBe(0);
    expect(out.split('\n').filter((line) => line.endsWith(' deleted'))).toEqual([
      'deployment.apps/sites deleted',
      'clusterrolebinding.rbac.authorization.k8s.io/sites deleted',
      'clusterrole.rbac.authorization.k8s.io/sites deleted',
      'serviceaccount/sites deleted',
    ]);
    await rename('sites', 'pages');
    expect((await sites.run('deploy', '--dry-run=server')).out).toContain('would deploy: 9 unchanged');
    expect((await sites.run('deploy')).err).not.toContain('notice:');
  });

  it('is not reported for another operator', async () => {
    expect((await sites.run('deploy')).exitCode).toBe(0);
    const other = (text: string) => text.replaceAll('Site', 'Page').replaceAll("'sites'", "'pages'");
    for (const path of ['src/operator.ts', 'src/site.ts']) {
      await sites.project.write({ [path]: other(await sites.project.read(path)) });
    }
    const { exitCode, err } = await sites.run('deploy');
    expect(err).not.toContain('notice:');
    expect(exitCode).toBe(0);
  });
});
