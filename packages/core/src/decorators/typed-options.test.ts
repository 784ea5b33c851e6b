import { Metadata } from '../kind/metadata.ts';
import { KubernetesObject } from '../object/kubernetes-object.ts';
import type { ObjectKey } from '../object/object-key.ts';
import { declarationsOf } from '../plan/class-declarations.ts';
import { Controller } from './controller.ts';
import { CustomResource } from './custom-resource.ts';
import { Finalizer } from './finalizer.ts';
import { Owns } from './owns.ts';
import { Watches } from './watches.ts';

// The type check compiles this file: a line below @ts-expect-error must be an error, and no other may be one.

@CustomResource({ group: 'web.example.com', version: 'v1' })
class Site extends KubernetesObject {
  declare spec: { size: number };
}

@Controller(Site, { predicates: [({ object }) => object.spec.size > 1] })
@Owns(() => Site, { predicates: [(event) => event.verb !== 'updated' || event.previous.spec.size > 1] })
class SiteController {
  @Watches(Site, { predicates: [({ object }) => object.spec.size > 1] })
  onSite(): ObjectKey[] {
    return [];
  }

  @Watches(Metadata(Site), { predicates: [({ object }) => object.metadata.name !== 'home'] })
  onMetadata(): ObjectKey[] {
    return [];
  }

  // @ts-expect-error only metadata is watched
  @Watches(Metadata(Site), { predicates: [({ object }) => object.spec.size > 1] })
  onSpec(): ObjectKey[] {
    return [];
  }

  @Finalizer('example.com/record', { order: 1 }) clean(): void {}

  // @ts-expect-error a finalizer name must have a domain
  @Finalizer('record') undo(): void {}
}

// @ts-expect-error unknown field
Controller(Site, { predicates: [({ object }) => object.spec.colour === 'red'] });

describe('options of decorators', () => {
  it('are recorded unchanged, and checked only by the compiler', () => {
    const { controller, owns, watches, finalizers } = declarationsOf(SiteController);
    expect(controller?.predicates).toHaveLength(1);
    expect(owns.map(({ predicates }) => predicates?.length)).toEqual([1]);
    expect(watches.map(({ predicates }) => predicates?.length)).toEqual([1, 1, 1]);
    expect(finalizers).toEqual([
      { name: 'example.com/record', method: 'clean', order: 1 },
      { name: 'record', method: 'undo' },
    ]);
  });
});
