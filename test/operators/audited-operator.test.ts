import { Environment, RbacAudit } from '@evenkeel/testing';
import { ConfigMap, controllerFor, defineOperator, type ManagerRunnable, Rbac, Secret } from 'evenkeel';

@Rbac(Secret, ['get'], { reason: 'signs the report' })
class Report implements ManagerRunnable {
  async start(): Promise<void> {}
  async stop(): Promise<void> {}
}

const declaration = {
  name: 'maps',
  controllers: [controllerFor(ConfigMap, { name: 'maps' }).reconcile(() => undefined)],
  runnables: [Report],
  namespaces: ['default'],
};

describe('RbacAudit.create()', () => {
  it.each([
    ['the namespace of the identity', true, 'default'],
    ['its own namespace', { namespace: 'kube-system' }, 'kube-system'],
  ] as const)(
    'accepts a declared operator with leader election in %s, and its runnables',
    async (_, election, place) => {
      await using environment = await Environment.create({ variables: {} });
      const operator = defineOperator({ ...declaration, leaderElection: election });
      const audit = await RbacAudit.create({ transport: environment.transport, ...operator });
      try {
        const rules = audit.roles.flatMap(({ namespace, rules: of }) =>
          of.map((rule) => `${namespace} ${'resource' in rule ? rule.resource : rule.path}`),
        );
        expect(rules).toContain(`${place} leases`);
        expect(rules).toContain('default secrets');
      } finally {
        await audit.close();
      }
    },
  );
});
