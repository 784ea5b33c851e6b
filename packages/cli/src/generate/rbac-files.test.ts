import { parseAllDocuments } from 'yaml';
import { Project } from '../project.fixture.ts';
import type { GenerateReport } from './report.ts';

const site = `
import { CustomResource, KubernetesObject } from '@evenkeel/core';

@CustomResource({ group: 'web.example.com', version: 'v1', kind: 'Site' })
export class Site extends KubernetesObject {}
`;

const controller = `
import { ConfigMap, Controller, Owns, Rbac, Reconcile, Secret } from 'evenkeel';
import { Site } from './site.js';

@Controller(Site)
@Owns(ConfigMap)
@Rbac(ConfigMap, ['delete'], { reason: 'prunes pages: "old" ones' })
export class SiteController {
  @Reconcile()
  reconcile(): void {}
}

@Rbac(Secret, ['get'], { names: ['prices'], namespace: 'shop' })
export class Prices {}
`;

const configOf = (rbac: string): string => `
import { defineConfig } from '@evenkeel/cli/config';
export default defineConfig({
  apis: ['./src/site.ts'], operator: './src/operator.ts', rbac: ${rbac},
});
`;

const operatorOf = (declared: string): string => `import { defineOperator } from 'evenkeel';
import { Prices, SiteController } from './site.controller.ts';
export const operator = defineOperator({ controllers: [SiteController], services: [Prices], ${declared} });
`;

describe('the role files of evenkeel generate', () => {
  let project: Project;
  beforeAll(async () => {
    project = await Project.create({
      'evenkeel.config.ts': configOf('{}'),
      'src/operator.ts': operatorOf("name: 'sites'"),
      'src/site.ts': site,
      'src/site.controller.ts': controller,
    });
  });
  afterAll(() => project.remove());

  it('contain the reason above each rule, and the @Rbac rules of other classes', async () => {
    const { exitCode, out } = await project.run('generate');
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: 'config/crd/web.example.com_sites.yaml written\nconfig/rbac/role.yaml written\nconfig/rbac/service_account.yaml written',
    });
    expect(await project.read('config/rbac/role.yaml')).toMatchInlineSnapshot(`
"# Made by "evenkeel generate" from the declarations of SiteController: change those, not this.

apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: sites
rules:
  # list, watch, create, patch: SiteController owns ConfigMap and applies it
  # delete: prunes pages: "old" ones
  - apiGroups: [""]
    resources: [configmaps]
    verbs: [list, watch, create, patch, delete]
  # create, patch: SiteController publishes Events and counts repeated ones
  - apiGroups: [events.k8s.io]
    resources: [events]
    verbs: [create, patch]
  # list, watch: SiteController reconciles Site
  - apiGroups: [web.example.com]
    resources: [sites]
    verbs: [list, watch]
  # update: SiteController sets blockOwnerDeletion in the owner references of ConfigMap
  - apiGroups: [web.example.com]
    resources: [sites/finalizers]
    verbs: [update]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: sites
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: sites
subjects:
  - kind: ServiceAccount
    name: sites
    namespace: default
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: sites
  namespace: shop
rules:
  # get: @Rbac on Prices
  - apiGroups: [""]
    resources: [secrets]
    resourceNames: [prices]
    verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: sites
  namespace: shop
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: sites
subjects:
  - kind: ServiceAccount
    name: sites
    namespace: default
"
`);
    expect(await project.read('config/rbac/service_account.yaml')).toMatchInlineSnapshot(`
"# Made by "evenkeel generate" from the declarations of SiteController: change those, not this.

apiVersion: v1
kind: ServiceAccount
metadata:
  name: sites
  namespace: default
"
`);
  });

  it('are not written if they are current, and are reported if stale or obsolete', async () => {
    const before = await project.changedAt('config/rbac/role.yaml');
    expect((await project.run('generate')).out).not.toContain('written');
    expect(await project.changedAt('config/rbac/role.yaml')).toBe(before);

    const declared = `name: 'shop', namespaces: ['blue'], leaderElection: { name: 'shop-leader' }, metricsAuthentication: true`;
    await project.write({
      'evenkeel.config.ts': configOf("{ namespace: 'shop-system', serviceAccount: 'manager' }"),
      'src/operator.ts': operatorOf(declared),
    });
    const check = await project.run('generate', '--check', '--output', 'json');
    expect(check.exitCode).toBe(1);
    const { files } = JSON.parse(check.out) as GenerateReport;
    expect(files.map(({ path, state }) => `${path} ${state}`)).toEqual([
      'config/crd/web.example.com_sites.yaml current',
      'config/rbac/leader_election_role.yaml missing',
      'config/rbac/metrics_role.yaml missing',
      'config/rbac/role.yaml stale',
      'config/rbac/service_account.yaml stale',
    ]);
    expect((await project.run('generate')).exitCode).toBe(0);
    expect(await shown()).toEqual([
      'Role leader_election_role shop-leader-election shop-system: create leases',
      'Role leader_election_role shop-leader-election shop-system: get,update leases shop-leader',
      'Role leader_election_role shop-leader-election shop-system: create events',
      'RoleBinding leader_election_role shop-leader-election shop-system: manager shop-system',
      'ClusterRole metrics_role shop-metrics: create tokenreviews',
      'ClusterRole metrics_role shop-metrics: create subjectaccessreviews',
      'ClusterRoleBinding metrics_role shop-metrics: manager shop-system',
      'Role role shop blue: list,watch,create,patch,delete configmaps',
      'Role role shop blue: create,patch events',
      'Role role shop blue: list,watch sites',
      'Role role shop blue: update sites/finalizers',
      'RoleBinding role shop blue: manager shop-system',
      'Role role shop shop: get secrets prices',
      'RoleBinding role shop shop: manager shop-system',
      'ServiceAccount service_account manager shop-system',
    ]);

    await project.write({ 'evenkeel.config.ts': configOf('false') });
    expect((await project.run('generate')).out.split('\n')).toEqual([
      'config/crd/web.example.com_sites.yaml is current',
      'config/rbac/leader_election_role.yaml removed',
      'config/rbac/metrics_role.yaml removed',
      'config/rbac/role.yaml removed',
      'config/rbac/service_account.yaml removed',
    ]);
  });

  it('are not written if the configuration or an @Rbac is invalid, which is reported with its location', async () => {
    await project.write({ 'evenkeel.config.ts': configOf("{ namespace: 'Sites' }") });
    expect(await project.run('generate')).toMatchObject({
      exitCode: 1,
      err: `error: evenkeel.config.ts: rbac.namespace is "Sites"; set the name of a namespace [invalid-config]`,
    });
    await project.write({
      'evenkeel.config.ts': configOf('{}'),
      'src/site.controller.ts': controller.replace("['get']", "['gett']").replace("['delete']", '[]'),
    });
    const { exitCode, out, err } = await project.run('generate');
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' });
    expect(err.split('\n')).toEqual([
      `error: src/site.controller.ts:8: SiteController: @Rbac: invalid verbs []; list at least one, such as ['get'] [invalid-option]`,
      'error: src/site.controller.ts:14: Prices: @Rbac: invalid verb "gett"; did you mean "get"? [invalid-option]',
      '2 errors; no file was written',
    ]);
  });

  /** Returns each rule, binding and account of the files as one line. */
  async function shown(): Promise<string[]> {
    const lines: string[] = [];
    for (const name of ['leader_election_role', 'metrics_role', 'role', 'service_account']) {
      for (const document of parseAllDocuments(await project.read(`config/rbac/${name}.yaml`))) {
        const { kind, metadata, rules, subjects } = document.toJS();
        const of = [kind, name, metadata.name, metadata.namespace].filter(Boolean).join(' ');
        const said = [...(rules ?? []).map(ruleText), ...(subjects ?? []).map(subjectText)];
        lines.push(...(said.length === 0 ? [of] : said.map((text: string) => `${of}: ${text}`)));
      }
    }
    return lines;
  }
});

function ruleText({ verbs, resources, resourceNames = [] }: Record<string, string[]>): string {
  return [verbs, resources, ...resourceNames].join(' ');
}

function subjectText({ name, namespace }: Record<string, string>): string {
  return `${name} ${namespace}`;
}
