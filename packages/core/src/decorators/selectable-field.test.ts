import { resourceOf } from '../declarations/resource-of.ts';
import { declarationsOf } from '../plan/class-declarations.ts';
import { CustomResource } from './custom-resource.ts';
import { SelectableField } from './selectable-field.ts';

@CustomResource({ group: 'example.com', version: 'v1', storage: true, served: true, deprecated: 'use v2' })
@SelectableField('.spec.color')
@SelectableField('.spec.size')
class Base {}

@SelectableField('.spec.more')
class Derived extends Base {}

describe('@SelectableField', () => {
  it('records paths in source order, those of base classes first', () => {
    expect(declarationsOf(Base).selectableFields).toEqual(['.spec.color', '.spec.size']);
    expect(declarationsOf(Derived).selectableFields).toEqual(['.spec.color', '.spec.size', '.spec.more']);
  });
});

describe('@CustomResource', () => {
  it('records what it is given, and reads nothing into it', () => {
    expect(declarationsOf(Base).customResource).toEqual({
      group: 'example.com',
      version: 'v1',
      kind: 'Base',
      storage: true,
      served: true,
      deprecated: 'use v2',
    });
    expect(resourceOf(Base as never)).toEqual({
      group: 'example.com',
      version: 'v1',
      kind: 'Base',
      plural: 'bases',
      namespaced: true,
    });
  });

  it('records where nothing was given, so that the generator can tell', () => {
    class Bare {}
    CustomResource(undefined as never)(Bare);
    expect(declarationsOf(Bare).customResource).toEqual({ kind: 'Bare' });
  });
});
