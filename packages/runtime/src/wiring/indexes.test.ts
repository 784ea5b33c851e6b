import { ApiServer } from '@evenkeel/apiserver';
import { Controller, Index, type KubernetesObject, ListerOf, Metadata, Owns, Reconcile } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import type { ApiBackend } from '../../../../test/api-backend.fixture.ts';
import { Lister } from '../cache/index.ts';
import type { ReconcileContext } from '../reconcile/reconcile-context.ts';
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

  /** A name that prune's own index of owners must not meet. */
  @Index('owner', ConfigMap)
  ownerOf(map: ConfigMap): string | undefined {
    return controllerOf(map);
  }
}

/** The type check compiles this: a line below @ts-expect-error must be an error, and no other may be one. */
export class WrongTypes {
  // @ts-expect-error it is given metadata alone
  @Index('data', Metadata(Secret))
  dataOf({ data }: Secret): string[] {
    return Object.keys(data ?? {});
  }

  // @ts-expect-error of another kind
  @Index('other', ConfigMap)
  other({ stringData }: Secret): string[] {
    return Object.keys(stringData ?? {});
  }

  @Index('right', Metadata(ConfigMap))
  right({ metadata }: Metadata<ConfigMap>): string[] {
    return Object.keys(metadata.labels ?? {});
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
