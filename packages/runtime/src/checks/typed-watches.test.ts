import {
  Controller,
  CustomResource,
  type EvenkeelError,
  Finalizer,
  Index,
  KubernetesObject,
  Metadata,
  ObjectKey,
  Reconcile,
  Watches,
} from '@evenkeel/core';
import { ConfigMap, Namespace, Secret } from '@evenkeel/kinds';
import type { Lister } from '../cache/index.ts';
import { collectPlans } from './collect-plans.ts';

// The type check compiles this file: each line below @ts-expect-error must have a type error, and no other line may have one.

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

  @Watches(Secret, { labels: { a: 'b' } })
  whole({ type }: Secret): ObjectKey[] {
    return type === undefined ? [] : [new ObjectKey(type, undefined)];
  }
}

@Controller(Namespace, { name: 'mistaken' })
class MistakenController {
  @Reconcile() reconcile(): void {}

  // @ts-expect-error it must not be asynchronous
  @Watches(Secret, { labels: { a: 'b' } })
  async waits(): Promise<ObjectKey[]> {
    return [];
  }

  // @ts-expect-error it returns a string instead of a list of keys
  @Watches(Metadata(ConfigMap))
  text({ metadata }: Metadata): string {
    return metadata.name;
  }

  // @ts-expect-error it returns a key instead of a list
  @Watches(Metadata(ConfigMap))
  one({ metadata }: Metadata): ObjectKey {
    return new ObjectKey(metadata.namespace ?? '');
  }

  // @ts-expect-error it returns strings instead of keys, which the compiler does not record
  @Watches(Metadata(ConfigMap))
  texts({ metadata }: Metadata): string[] {
    return [metadata.name];
  }
}

@CustomResource({ group: 'example.com', version: 'v1' })
class Left extends KubernetesObject {
  declare spec: { size: number };
}

@CustomResource({ group: 'example.com', version: 'v1' })
class Right extends KubernetesObject {
  declare spec: { size: number };
}

@Controller(Left)
class WrongKinds {
  // Left and Right have the same structure, so the compiler accepts one as the other.
  @Reconcile() run(_right: Right): void {}

  @Finalizer('example.com/deployment') end(_deployment: ConfigMap): void {}

  @Index('size') sizeOf(_right: Right): string {
    return '';
  }

  @Watches(Right)
  right(_right: Right): ObjectKey[] {
    return [];
  }

  // @ts-expect-error metadata has no data
  @Watches(Metadata(ConfigMap))
  data({ data }: ConfigMap): ObjectKey[] {
    return Object.keys(data ?? {}).map((name) => new ObjectKey(name, undefined));
  }

  // @ts-expect-error the parameter has another kind
  @Watches(Secret)
  other({ data }: ConfigMap): ObjectKey[] {
    return Object.keys(data ?? {}).map((name) => new ObjectKey(name, undefined));
  }

  // @ts-expect-error the parameter has another kind
  @Watches(Metadata(Secret))
  metadata({ data }: ConfigMap): ObjectKey[] {
    return Object.keys(data ?? {}).map((name) => new ObjectKey(name, undefined));
  }
}

// @ts-expect-error reconcile() has another kind
@Controller(Secret, { wholeCluster: true })
class WrongReconcile {
  @Reconcile() private run(): void {}

  reconcile(map: ConfigMap): void {
    this.run();
    void map;
  }
}

/** A lister of metadata returns only metadata. */
export function dataOf(lister: Lister<Metadata<ConfigMap>>): unknown {
  // @ts-expect-error only metadata
  return lister.get('default/a')?.data;
}

/** The methods that `@Index` rejects and accepts. */
export class WrongIndexes {
  // @ts-expect-error the index function gets only metadata
  @Index('data', Metadata(Secret))
  dataOf({ data }: Secret): string[] {
    return Object.keys(data ?? {});
  }

  // @ts-expect-error the parameter has another kind
  @Index('other', ConfigMap)
  other({ stringData }: Secret): string[] {
    return Object.keys(stringData ?? {});
  }

  @Index('right', Metadata(ConfigMap))
  right({ metadata }: Metadata<ConfigMap>): string[] {
    return Object.keys(metadata.labels ?? {});
  }
}

it('@Watches(Metadata(Kind)) watches only metadata', () => {
  const [plan] = collectPlans([NamespaceController], [], []);
  expect(plan?.watches.map(({ method, metadataOnly }) => [method, metadataOnly])).toEqual([
    ['names', true],
    ['metadataOfAnyKind', true],
    ['whole', false],
  ]);
});

it('the start reports methods whose recorded parameter is of another kind than what their decorator gives', () => {
  const errors: EvenkeelError[] = [];
  expect(collectPlans([WrongKinds, WrongReconcile], [], errors).map(({ kind }) => kind)).toEqual([Secret]);
  const orChange = 'or change the kind of the decorator';
  expect(errors.map(({ code, message }) => [code, message])).toEqual(
    [
      `run: @Reconcile gives this method a Left, but its parameter is a Right; write Left as its type, ${orChange}`,
      'data: @Watches gives this method only the metadata of ConfigMap, but its parameter is a ConfigMap; write Metadata<ConfigMap>',
      `other: @Watches gives this method a Secret, but its parameter is a ConfigMap; write Secret as its type, ${orChange}`,
      `metadata: @Watches gives this method a Secret, but its parameter is a ConfigMap; write Metadata<Secret> as its type, ${orChange}`,
      `sizeOf: @Index("size") gives this method a Left, but its parameter is a Right; write Left as its type, ${orChange}`,
      `end: @Finalizer("example.com/deployment") gives this method a Left, but its parameter is a ConfigMap; write Left as its type, ${orChange}`,
    ].map((message) => ['kind-mismatch', `WrongKinds.${message}`]),
  );
});

it('@Watches rejects a method whose recorded return type cannot be a list, for projects without type checks', () => {
  const errors: EvenkeelError[] = [];
  expect(collectPlans([MistakenController], [], errors)).toEqual([]);
  const fix = 'return ObjectKey[] synchronously ([] enqueues nothing)';
  expect(errors.map(({ code, message }) => [code, message])).toEqual(
    ['waits: Promise', 'text: String', 'one: ObjectKey'].map((wrong) => {
      const [method, type] = wrong.split(': ');
      return [
        'invalid-mapper-result',
        `MistakenController.${method}: this @Watches method is declared to return a ${type}; ${fix}`,
      ];
    }),
  );
});
