import type { ObjectEvent, ObjectMeta, Predicate } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { annotationsChanged, generationChanged, labelsChanged, resourceVersionChanged } from './change-predicates.ts';
import { allOf, anyOf, not } from './combined-predicates.ts';

function map(metadata: Partial<ObjectMeta>): ConfigMap {
  return Object.assign(new ConfigMap(), { metadata: { name: 'page', ...metadata } });
}

function updated(previous: Partial<ObjectMeta>, object: Partial<ObjectMeta>): ObjectEvent {
  return { verb: 'updated', previous: map(previous), object: map(object) };
}

const same = { resourceVersion: '7', generation: 2, labels: { a: '1' }, annotations: { b: '1' } };
const comings: ObjectEvent[] = [
  { verb: 'added', object: map(same), initial: true },
  { verb: 'added', object: map(same), initial: false },
  { verb: 'deleted', object: map(same) },
];

describe.each<[string, Predicate, Partial<ObjectMeta>]>([
  ['resourceVersionChanged', resourceVersionChanged, { resourceVersion: '8' }],
  ['generationChanged', generationChanged, { generation: 3 }],
  ['labelsChanged', labelsChanged, { labels: { a: '2' } }],
  ['annotationsChanged', annotationsChanged, { annotations: {} }],
])('%s', (_, predicate, change) => {
  it('passes an update that changes only this field, and drops one that changes only other fields', () => {
    expect(predicate(updated(same, { ...same, ...change }))).toBe(true);
    const others = { resourceVersion: '9', generation: 9, labels: { a: '9' }, annotations: { b: '9' } };
    const kept = Object.keys(change).map((key) => [key, same[key as keyof typeof same]]);
    expect(predicate(updated(same, { ...others, ...Object.fromEntries(kept) }))).toBe(false);
  });

  it('passes added and deleted objects, also if it is negated', () => {
    for (const event of comings) {
      expect(predicate(event)).toBe(true);
      expect(not(predicate)(event)).toBe(true);
      expect(not(not(predicate))(event)).toBe(true);
    }
    expect(not(predicate)(updated(same, { ...same, ...change }))).toBe(false);
    expect(not(predicate)(updated(same, same))).toBe(true);
  });
});

describe('generationChanged', () => {
  it('passes every update of a kind without a generation', () => {
    expect(generationChanged(updated({ resourceVersion: '7' }, { resourceVersion: '8' }))).toBe(true);
  });
});

describe('labelsChanged', () => {
  it('treats missing labels like an empty map', () => {
    expect(labelsChanged(updated({}, { labels: {} }))).toBe(false);
  });
});

describe('allOf(), anyOf() and not()', () => {
  const yes: Predicate = () => true;
  const no: Predicate = () => false;
  const event = updated(same, { ...same, labels: {} });

  it('combine the results of predicates', () => {
    expect([allOf(yes, yes)(event), allOf(yes, no)(event), allOf()(event)]).toEqual([true, false, true]);
    expect([anyOf(no, yes)(event), anyOf(no, no)(event), anyOf()(event)]).toEqual([true, false, false]);
    expect([not(yes)(event), not(no)(event)]).toEqual([false, true]);
    expect(anyOf(generationChanged, labelsChanged)(event)).toBe(true);
    expect(allOf(generationChanged, labelsChanged)(event)).toBe(false);
  });

  it('negate a combination of change predicates only for updates, and any other combination for all events', () => {
    for (const coming of comings) {
      expect(not(anyOf(generationChanged, labelsChanged))(coming)).toBe(true);
      expect(not(allOf(generationChanged, yes))(coming)).toBe(false);
    }
  });

  it('call no predicate after the result is certain', () => {
    const throws: Predicate = () => {
      throw new Error('asked');
    };
    expect(anyOf(yes, throws)(event)).toBe(true);
    expect(allOf(no, throws)(event)).toBe(false);
  });
});
