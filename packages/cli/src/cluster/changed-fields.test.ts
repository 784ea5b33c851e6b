import { changedFields, shownChange } from './changed-fields.ts';

const lines = (before: object, after: object): string[] => changedFields(before, after).map(shownChange);

describe('changedFields()', () => {
  it('names the items of lists by their names, and the others by their positions', () => {
    const list = (image: string, ...ports: number[]) => ({ containers: [{ name: 'manager', image, ports }] });
    expect(lines(list('a:1', 80, 81), list('a:2', 80))).toEqual([
      'containers[manager].image: "a:1" -> "a:2"',
      'containers[manager].ports[1]: 81 -> nothing',
    ]);
    expect(lines({ items: [{ name: 'a' }] }, { items: [{ name: 'a' }, { name: 'b', x: 1 }] })).toEqual([
      'items[b]: nothing -> {"name":"b","x":1}',
    ]);
  });

  it('puts names that are not words into brackets', () => {
    expect(lines({}, { metadata: { labels: { 'app.kubernetes.io/name': 'x' } } })).toEqual([
      'metadata: nothing -> {"labels":{"app.kubernetes.io/name":"x"}}',
    ]);
    expect(lines({ labels: { 'a/b': '1' } }, { labels: { 'a/b': '2' } })).toEqual(['labels[a/b]: "1" -> "2"']);
  });

  it('ignores what the server sets', () => {
    const before = {
      metadata: { uid: 'a', resourceVersion: '1', generation: 1, managedFields: [{}] },
      status: { x: 1 },
    };
    const after = { metadata: { uid: 'b', resourceVersion: '2', generation: 2, managedFields: [] }, status: { x: 2 } };
    expect(changedFields(before, after)).toEqual([]);
    expect(changedFields({ spec: { status: 1 } }, { spec: { status: 2 } })).toHaveLength(1);
  });

  it('cuts long values', () => {
    expect(shownChange({ path: 'a', to: 'x'.repeat(100) })).toBe(`a: nothing -> "${'x'.repeat(59)}...`);
  });
});
