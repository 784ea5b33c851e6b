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
  it('is as a small operator needs it where nothing is said', async () => {
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

  it('takes every option, and the namespaces once each and in order', () => {
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

  it('is false where roles are made elsewhere', () => expect(loaded(false)).toEqual({ rbac: undefined, problems: [] }));

  it('calls an operator operator where its package has no name that would do', async () => {
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
    [{ name: 'Sites' }, 'rbac.name is "Sites"; give a name of lower-case letters'],
    [{ name: '' }, 'rbac.name is ""; give a name of lower-case letters'],
    [{ namespace: 'a.b' }, 'rbac.namespace is "a.b"; give the name of a namespace'],
    [{ serviceAccount: 7 }, 'rbac.serviceAccount is 7; give a name of lower-case letters'],
    [{ namespaces: [] }, 'rbac.namespaces is []; give a list of namespaces, or leave it out for all'],
    [{ namespaces: 'blue' }, 'rbac.namespaces is "blue"; give a list of namespaces'],
    [{ namespaces: ['*'] }, 'rbac.namespaces is ["*"]; give a list of namespaces'],
    [{ leaderElection: 'sites' }, 'rbac.leaderElection is "sites"; name the Lease as the manager does'],
    [{ leaderElection: { name: 'a', id: 'b' } }, 'rbac.leaderElection is {"name":"a","id":"b"}; name the Lease'],
    [{ leaderElection: true }, 'rbac.leaderElection is true; name the Lease as the manager does'],
    [{ metricsAuthentication: 'yes' }, 'rbac.metricsAuthentication is "yes"; give true or false'],
  ])('refuses %j', (given, message) => {
    expect(loaded(given).problems).toEqual([expect.stringContaining(message)]);
  });
});
