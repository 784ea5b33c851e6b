import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadedRbac, loadRbac } from './load-rbac-config.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'evenkeel-rbac-'));
});
afterEach(() => rm(folder, { recursive: true }));

function loaded(given: unknown): { rbac: LoadedRbac | undefined; problems: string[] } {
  const problems: string[] = [];
  return { rbac: loadRbac(given, folder, (problem) => problems.push(problem)), problems };
}

describe('the option rbac', () => {
  it('has defaults for a small operator', async () => {
    await writeFile(join(folder, 'package.json'), '{ "name": "@acme/site-operator" }');
    expect(loaded(undefined)).toEqual({
      rbac: {
        name: 'site-operator',
        namespace: 'default',
        serviceAccount: 'site-operator',
        namespaces: undefined,
        leaderElection: undefined,
        metricsAuthentication: false,
      },
      problems: [],
    });
  });

  it('accepts every option, and sorts the namespaces without duplicates', () => {
    const given = {
      name: 'sites',
      namespace: 'sites-system',
      serviceAccount: 'manager',
      namespaces: ['green', 'blue', 'green'],
      leaderElection: { name: 'sites' },
      metricsAuthentication: true,
    };
    expect(loaded(given)).toEqual({
      rbac: {
        ...given,
        namespaces: ['blue', 'green'],
        leaderElection: { name: 'sites', namespace: 'sites-system' },
      },
      problems: [],
    });
    expect(loaded({ leaderElection: { name: 'a', namespace: 'b' } }).rbac?.leaderElection?.namespace).toBe('b');
  });

  it('may be false', () => expect(loaded(false)).toEqual({ rbac: undefined, problems: [] }));

  it('uses the name operator if the package has no valid name', async () => {
    expect(loaded({}).rbac?.name).toBe('operator');
    await writeFile(join(folder, 'package.json'), '{ "name": "Not_A_Name" }');
    expect(loaded({}).rbac?.name).toBe('operator');
    await writeFile(join(folder, 'package.json'), 'no json');
    expect(loaded({}).rbac?.name).toBe('operator');
  });

  it.each<[unknown, string]>([
    [true, "rbac must be false, or an object, such as { namespace: 'my-operator' }"],
    [[], "rbac must be false, or an object, such as { namespace: 'my-operator' }"],
    [{ nameSpace: 'x' }, 'unknown option "rbac.nameSpace"; did you mean "namespace"?'],
    [{ name: 'Sites' }, 'rbac.name is "Sites"; set a name of lower-case letters'],
    [{ name: '' }, 'rbac.name is ""; set a name of lower-case letters'],
    [{ namespace: 'a.b' }, 'rbac.namespace is "a.b"; set the name of a namespace'],
    [{ serviceAccount: 7 }, 'rbac.serviceAccount is 7; set a name of lower-case letters'],
    [{ namespaces: [] }, 'rbac.namespaces is []; set a list of namespaces, or remove it for all'],
    [{ namespaces: 'blue' }, 'rbac.namespaces is "blue"; set a list of namespaces'],
    [{ namespaces: ['*'] }, 'rbac.namespaces is ["*"]; set a list of namespaces'],
    [{ leaderElection: 'sites' }, 'rbac.leaderElection is "sites"; set the Lease of the manager'],
    [{ leaderElection: { name: 'a', id: 'b' } }, 'rbac.leaderElection is {"name":"a","id":"b"}; set the Lease'],
    [{ leaderElection: true }, 'rbac.leaderElection is true; set the Lease of the manager'],
    [{ metricsAuthentication: 'yes' }, 'rbac.metricsAuthentication is "yes"; set true or false'],
  ])('rejects %j', (given, message) => {
    expect(loaded(given).problems).toEqual([expect.stringContaining(message)]);
  });
});
