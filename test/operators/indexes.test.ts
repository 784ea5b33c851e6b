import { ApiServer } from '@evenkeel/apiserver';
import { Controller, Index, type KubernetesObject, ListerOf, Owns, Reconcile } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import { Lister } from '../../packages/runtime/src/cache/index.ts';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import type { ApiBackend } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

const controllerOf = ({ metadata }: KubernetesObject): string | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true)?.name;

/** One ConfigMap for each name in the data. */
@Controller(Secret, { name: 'indexing' })
@Owns(ConfigMap)
class IndexingController {
  static maps: Lister<ConfigMap>;

  constructor(@ListerOf(ConfigMap) maps: Lister<ConfigMap>) {
    IndexingController.maps = maps;
  }

  @Reconcile()
  async reconcile(secret: Secret, context: ReconcileContext): Promise<void> {
    for (const name of Object.keys(secret.data ?? {})) {
      await context.apply<ConfigMap>({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    }
    await context.prune();
  }

  /** A name that must not collide with prune's index of owners. */
  @Index('owner', ConfigMap)
  ownerOf(map: ConfigMap): string | undefined {
    return controllerOf(map);
  }
}

describe('@Index of an owned kind', () => {
  it('finds the children of each owner', async () => {
    const server = await ApiServer.create();
    const backend: ApiBackend = {
      transport: () => server.transport(),
      connection: undefined,
      kubeconfig: undefined,
      stop: () => server.close(),
    };
    const operator = await TestOperator.start(backend, [IndexingController]);
    const { client } = operator;
    const childrenOf = (owner: string): string[] =>
      IndexingController.maps
        .byIndex('owner', owner)
        .map(({ metadata }) => metadata.name)
        .sort();
    try {
      const create = (name: string, data: object) =>
        client.create(Secret, { metadata: { name, namespace: 'default' }, data } as never);
      await create('one', { a: 'eA==', b: 'eA==' });
      await create('two', { c: 'eA==' });
      await client.create(ConfigMap, { metadata: { name: 'bystander', namespace: 'default' } });
      await operator.until(
        'both owners to have children',
        () => childrenOf('one').length === 2 && childrenOf('two').length === 1,
      );
      await client.patch(Secret, 'default/one', { merge: { data: { a: null } } });
      await operator.until('a to go', () => String(childrenOf('one')) === 'b');
      expect(childrenOf('two')).toEqual(['c']);
      expect(childrenOf('three')).toEqual([]);
    } finally {
      await operator.manager.stop();
      await backend.stop();
    }
  });
});
