import { resolveKind } from '../declarations/resolve-reference.ts';
import { resourceOf } from '../declarations/resource-of.ts';
import { Controller } from '../decorators/controller.ts';
import { CustomResource } from '../decorators/custom-resource.ts';
import { Finalizer } from '../decorators/finalizer.ts';
import { Index } from '../decorators/index-by.ts';
import { ListerOf } from '../decorators/lister-of.ts';
import { Owns } from '../decorators/owns.ts';
import { PrinterColumn } from '../decorators/printer-column.ts';
import { Reconcile } from '../decorators/reconcile.ts';
import { Spec } from '../decorators/spec.ts';
import { Status } from '../decorators/status.ts';
import { KubernetesObject } from '../object/kubernetes-object.ts';
import { declarationsOf, ownDeclarationsOf } from './class-declarations.ts';

@CustomResource({ group: 'web.example.com', version: 'v1' })
@PrinterColumn({ name: 'A', type: 'string', jsonPath: '.a' })
@PrinterColumn({ name: 'B', type: 'string', jsonPath: '.b' })
class Website extends KubernetesObject {
  @Spec() spec!: object;
}

@CustomResource({ group: 'web.example.com', version: 'v2', kind: 'Website' })
class WebsiteV2 extends Website {
  @Status() status!: object;
}

class Plain extends KubernetesObject {}

@Controller(() => Website)
@Owns(Website)
class Base {
  @Reconcile() reconcile(): void {}
}

class Derived extends Base {
  @Reconcile({ maxConcurrent: 2 }) override reconcile(): void {}
}

describe('declarationsOf', () => {
  it('keeps repeated class decorators in source order', () => {
    expect(declarationsOf(Website).printerColumns.map((column) => column.name)).toEqual(['A', 'B']);
  });

  it('inherits from the base class and does not change it', () => {
    expect([...declarationsOf(WebsiteV2).properties.keys()]).toEqual(['spec', 'status']);
    expect([...declarationsOf(Website).properties.keys()]).toEqual(['spec']);
    expect(resourceOf(Website).version).toBe('v1');
    expect(resourceOf(WebsiteV2).version).toBe('v2');
  });

  it('drops the inherited declaration of a method that is declared again', () => {
    expect(declarationsOf(Derived).reconciles).toEqual([{ method: 'reconcile', maxConcurrent: 2 }]);
    expect(declarationsOf(Base).reconciles).toEqual([{ method: 'reconcile' }]);
  });

  it('separates siblings, and returns the listers of an inherited constructor for a subclass', () => {
    @Controller(Website)
    class Shared {
      constructor(@ListerOf(Website) readonly websites: unknown) {}
      @Reconcile() reconcile(): void {}
      @Index('host') host(): string {
        return '';
      }
    }
    @Owns(Website)
    class One extends Shared {
      @Finalizer('example.com/one') end(): void {}
      override host(): string {
        return 'one';
      }
    }
    @Controller(WebsiteV2)
    class Two extends Shared {
      constructor(readonly other: string) {
        super(other);
      }
      @Reconcile({ timeout: '1s' }) override reconcile(): void {}
    }
    expect(declarationsOf(One)).toMatchObject({
      controller: { kind: Website },
      owns: [{ kind: Website }],
      finalizers: [{ method: 'end' }],
      indexes: [{ method: 'host' }],
      listers: [{ kind: Website, parameter: 0 }],
    });
    expect(declarationsOf(Two)).toMatchObject({
      controller: { kind: WebsiteV2 },
      owns: [],
      finalizers: [],
      reconciles: [{ method: 'reconcile', timeout: '1s' }],
      listers: [],
    });
    expect(declarationsOf(Shared)).toMatchObject({ owns: [], finalizers: [], reconciles: [{ method: 'reconcile' }] });
  });

  it('accepts a function that returns the class', () => {
    const controller = declarationsOf(Derived).controller;
    expect(controller && resolveKind(controller.kind)).toBe(Website);
  });

  it('returns no own declarations for a class without decorators', () => {
    expect(ownDeclarationsOf(Plain)).toBeUndefined();
    expect(() => resourceOf(Plain)).toThrow(
      'Plain is used as a kind but has no @CustomResource; add @CustomResource({ group, version }) above the class',
    );
  });
});
