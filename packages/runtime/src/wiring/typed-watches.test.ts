import { Controller, Metadata, ObjectKey, Reconcile, Watches } from '@evenkeel/core';
import { ConfigMap, Namespace, Secret } from '@evenkeel/kinds';
import type { Lister } from '../cache/index.ts';
import { planControllers } from './controller-plan.ts';

// The type check compiles this file: a line below @ts-expect-error must be an error, and no other may be one.

@Controller(Namespace)
class NamespaceController {
  @Reconcile() reconcile(): void {}

  @Watches(Metadata(ConfigMap))
  names({ metadata }: Metadata<ConfigMap>): ObjectKey[] {
    return [new ObjectKey(metadata.namespace ?? '', undefined)];
  }

  @Watches(() => Metadata(ConfigMap))
  metadataOfAnyKind({ metadata }: Metadata): ObjectKey[] {
    return [new ObjectKey(metadata.namespace ?? '', undefined)];
  }

  // @ts-expect-error its data never comes
  @Watches(Metadata(ConfigMap))
  data({ data }: ConfigMap): ObjectKey[] {
    return Object.keys(data ?? {}).map((name) => new ObjectKey(name, undefined));
  }

  // @ts-expect-error of another kind
  @Watches(Secret)
  other({ data }: ConfigMap): ObjectKey[] {
    return Object.keys(data ?? {}).map((name) => new ObjectKey(name, undefined));
  }

  // @ts-expect-error it may not wait
  @Watches(Secret, { labels: { a: 'b' } })
  async waits(): Promise<ObjectKey[]> {
    return [];
  }

  @Watches(Secret, { labels: { a: 'b' } })
  whole({ type }: Secret): ObjectKey[] {
    return type === undefined ? [] : [new ObjectKey(type, undefined)];
  }
}

/** What a lister of metadata gives has nothing else. */
export function dataOf(lister: Lister<Metadata<ConfigMap>>): unknown {
  // @ts-expect-error metadata alone
  return lister.get('default/a')?.data;
}

it('watches metadata alone where that is what is declared', () => {
  const [plan] = planControllers([NamespaceController], [], []);
  expect(plan?.watches.map(({ method, metadataOnly }) => [method, metadataOnly])).toEqual([
    ['names', true],
    ['metadataOfAnyKind', true],
    ['data', true],
    ['other', false],
    ['waits', false],
    ['whole', false],
  ]);
});
