import { Controller, type EvenkeelError, Index, Metadata, ObjectKey, Reconcile, Watches } from '@evenkeel/core';
import { ConfigMap, Namespace, Secret } from '@evenkeel/kinds';
import type { Lister } from '../cache/index.ts';
import { collectPlans } from './collect-plans.ts';

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

  @Watches(Secret, { labels: { a: 'b' } })
  whole({ type }: Secret): ObjectKey[] {
    return type === undefined ? [] : [new ObjectKey(type, undefined)];
  }
}

@Controller(Namespace, { name: 'mistaken' })
class MistakenController {
  @Reconcile() reconcile(): void {}

  // @ts-expect-error it may not wait
  @Watches(Secret, { labels: { a: 'b' } })
  async waits(): Promise<ObjectKey[]> {
    return [];
  }

  // @ts-expect-error the text of a key is none
  @Watches(Metadata(ConfigMap))
  text({ metadata }: Metadata): string {
    return metadata.name;
  }

  // @ts-expect-error a list is wanted
  @Watches(Metadata(ConfigMap))
  one({ metadata }: Metadata): ObjectKey {
    return new ObjectKey(metadata.namespace ?? '');
  }

  // @ts-expect-error texts are no keys, which the compiler does not write down
  @Watches(Metadata(ConfigMap))
  texts({ metadata }: Metadata): string[] {
    return [metadata.name];
  }
}

/** What a lister of metadata gives has nothing else. */
export function dataOf(lister: Lister<Metadata<ConfigMap>>): unknown {
  // @ts-expect-error metadata alone
  return lister.get('default/a')?.data;
}

/** What `@Index` accepts. */
export class WrongIndexes {
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

it('watches metadata alone where that is what is declared', () => {
  const [plan] = collectPlans([NamespaceController], [], []);
  expect(plan?.watches.map(({ method, metadataOnly }) => [method, metadataOnly])).toEqual([
    ['names', true],
    ['metadataOfAnyKind', true],
    ['data', true],
    ['other', false],
    ['whole', false],
  ]);
});

it('refuses what the compiler has written down where that can be no list, as for those who do not check types', () => {
  const errors: EvenkeelError[] = [];
  expect(collectPlans([MistakenController], [], errors)).toEqual([]);
  const mend = 'return ObjectKey[] synchronously ([] enqueues nothing)';
  expect(errors.map(({ code, message }) => [code, message])).toEqual(
    ['waits: Promise', 'text: String', 'one: ObjectKey'].map((wrong) => {
      const [method, type] = wrong.split(': ');
      return [
        'invalid-mapper-result',
        `MistakenController.${method}: this @Watches method is declared to return a ${type}; ${mend}`,
      ];
    }),
  );
});
