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
  it('records paths in source order, with those of base classes first', () => {
    expect(declarationsOf(Base).selectableFields).toEqual(['.spec.color', '.spec.size']);
    expect(declarationsOf(Derived).selectableFields).toEqual(['.spec.color', '.spec.size', '.spec.more']);
  });
});

describe('@CustomResource', () => {
  it('records its options unchanged', () => {
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

  it('records a declaration without options, so that the generator can report it', () => {
    class Bare {}
    CustomResource(undefined as never)(Bare);
    expect(declarationsOf(Bare).customResource).toEqual({ kind: 'Bare' });
  });
});
