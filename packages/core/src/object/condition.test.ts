import { withCondition } from './condition.ts';

const first = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-01T00:01:00.900Z');
const available = { type: 'Available', status: 'True', reason: 'Ready', message: '', observedGeneration: 1 } as const;

describe('withCondition', () => {
  it('adds a condition with its transition time', () => {
    expect(withCondition(undefined, available, first)).toEqual([
      { ...available, lastTransitionTime: '2026-01-01T00:00:00Z' },
    ]);
  });

  it('returns the same list if nothing differs', () => {
    const list = withCondition(undefined, available, first);
    expect(withCondition(list, available, later)).toBe(list);
  });

  it('keeps the transition time if the status does not change', () => {
    const list = withCondition(undefined, available, first);
    expect(withCondition(list, { ...available, reason: 'Other' }, later)[0]?.lastTransitionTime).toBe(
      '2026-01-01T00:00:00Z',
    );
  });

  it('updates the transition time if the status changes, and keeps other conditions unchanged', () => {
    const list = withCondition(withCondition(undefined, available, first), { ...available, type: 'Degraded' }, first);
    const next = withCondition(list, { ...available, status: 'False' }, later);
    expect(next[0]?.lastTransitionTime).toBe('2026-01-01T00:01:00Z');
    expect(next[1]).toBe(list[1]);
  });
});
