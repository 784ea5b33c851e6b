import type { AnyClass } from '../declarations/class-reference.ts';
import type { InstanceMemberDecorator } from '../declarations/property.ts';
import { declarationsOf } from '../plan/class-declarations.ts';
import { Default } from './default.ts';
import { ExactlyOneOf } from './exactly-one-of.ts';
import { Immutable } from './immutable.ts';
import { Items } from './items.ts';
import { ListType } from './list-type.ts';
import { Nullable } from './nullable.ts';
import { Rule } from './rule.ts';
import { Schema } from './schema.ts';
import { Title } from './title.ts';
import { Values } from './values.ts';

describe('schema decorators', () => {
  @Title('A thing')
  @Rule('self.a < self.b')
  @Rule('self.b < 10', { reason: 'FieldValueForbidden' })
  @ExactlyOneOf('a', 'b')
  class Thing {
    @Nullable() @Default(3) @Rule('self > 0') a?: number | null;
    @ListType('map', 'name', 'port') b!: object[];
  }

  it('record their arguments in source order, on classes and on properties', () => {
    const { schema, properties } = declarationsOf(Thing);
    expect(schema).toEqual([
      { says: 'title', text: 'A thing' },
      { says: 'rule', rule: 'self.a < self.b' },
      { says: 'rule', rule: 'self.b < 10', reason: 'FieldValueForbidden' },
      { says: 'members', set: 'exactlyOne', of: ['a', 'b'] },
    ]);
    expect([...properties]).toEqual([
      ['a', [{ says: 'nullable' }, { says: 'default', value: 3 }, { says: 'rule', rule: 'self > 0' }]],
      ['b', [{ says: 'listType', type: 'map', keys: ['name', 'port'] }]],
    ]);
  });

  it('are inherited, with those of the base class first, and do not change the base class', () => {
    @Title('A special thing')
    class Special extends Thing {
      @Immutable() c!: string;
    }
    expect(declarationsOf(Special).schema.map(({ says }) => says)).toEqual([
      'title',
      'rule',
      'rule',
      'members',
      'title',
    ]);
    expect([...declarationsOf(Special).properties.keys()]).toEqual(['a', 'b', 'c']);
    expect(declarationsOf(Thing).schema).toHaveLength(4);
    expect(declarationsOf(Thing).properties.has('c')).toBe(false);
  });

  it('are recorded on a separate class for each use in @Items or @Values', () => {
    class Lists {
      @Items(Nullable(), Items(Rule('self > 0'))) a!: number[][];
      @Values(Rule('self != ""')) b!: Record<string, string>;
    }
    const { properties } = declarationsOf(Lists);
    expect(elementOf(properties.get('a'))).toMatchObject([{ says: 'nullable' }, { says: 'items', mistaken: [] }]);
    expect(elementOf(properties.get('b'))).toEqual([{ says: 'rule', rule: 'self != ""' }]);
    expect(elementOf(elementOf(properties.get('a'))?.slice(1))).toEqual([{ says: 'rule', rule: 'self > 0' }]);
  });

  it('record arguments of @Items that are not decorators', () => {
    class Lists {
      @Items(Nullable as unknown as InstanceMemberDecorator, 3 as never, Immutable()) a!: unknown[];
    }
    expect(declarationsOf(Lists).properties.get('a')).toMatchObject([{ says: 'items', mistaken: [Nullable, 3] }]);
  });

  it('record that they are on a static or symbol member', () => {
    const hidden = Symbol('hidden');
    class Mistaken {
      // @ts-expect-error The compiler rejects it.
      @Nullable() static a?: string;
      @Title('Hidden') [hidden]?: string;
    }
    const { properties } = declarationsOf(Mistaken);
    expect(properties.get('a')).toEqual([{ says: 'nullable' }, { says: 'misplaced', on: 'static' }]);
    expect(properties.get('Symbol(hidden)')).toEqual([
      { says: 'title', text: 'Hidden' },
      { says: 'misplaced', on: 'symbol' },
    ]);
    expect(declarationsOf(Function as unknown as AnyClass).properties.size).toBe(0);
  });

  it('are assignable to PropertyDecorator', () => {
    const decorators: readonly PropertyDecorator[] = [Nullable(), Rule('self != ""'), Items(Immutable())];
    class Helped {
      a?: string;
    }
    for (const decorate of decorators) decorate(Helped.prototype, 'a');
    expect(
      declarationsOf(Helped)
        .properties.get('a')
        ?.map(({ says }) => says),
    ).toEqual(['items', 'rule', 'nullable']);
  });

  it('are rejected by the compiler in wrong places and with wrong arguments', () => {
    // @ts-expect-error A class cannot be nullable.
    @Nullable()
    class Mistaken {
      // @ts-expect-error Only a class has a set of properties.
      @ExactlyOneOf('a') a?: string;
      // @ts-expect-error The type map requires keys.
      @ListType('map') b?: object[];
      // @ts-expect-error Unknown keyword.
      @Schema({ minimun: 3 }) c?: number;
      // @ts-expect-error Unknown option.
      @Rule('true', { mesage: 'no' }) e?: string;
    }
    expect(declarationsOf(Mistaken).properties.has('c')).toBe(true);
  });

  function elementOf(declared: readonly object[] | undefined): readonly object[] | undefined {
    const element = declared?.map((one) => ('element' in one ? (one.element as AnyClass) : undefined)).find(Boolean);
    return element === undefined ? undefined : declarationsOf(element).properties.get('element');
  }
});
