import { ManualClock } from '@evenkeel/core';
import { StatusConditions, type StatusWithConditions } from './condition-set.ts';

describe('StatusConditions', () => {
  it('moves the transition time only when the status changes, and keeps the observed ones', async () => {
    const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
    const other = { type: 'Other', status: 'True', reason: 'R', message: '', lastTransitionTime: 'then' } as const;
    const status: StatusWithConditions = { conditions: [other] };
    const conditions = new StatusConditions(() => status, 3, clock);
    conditions.set('Available', false, 'Starting', 'no pod is ready');
    await clock.advance(1000);
    conditions.set('Available', false, 'StillStarting');
    expect(status.conditions).toEqual([
      other,
      {
        type: 'Available',
        status: 'False',
        reason: 'StillStarting',
        message: '',
        observedGeneration: 3,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ]);
    conditions.set('Available', true, 'Ready');
    expect(conditions.get('Available')?.lastTransitionTime).toBe('2026-01-01T00:00:01Z');
    expect(conditions.isTrue('Available')).toBe(true);
  });

  it('leaves the list alone, the very array, when nothing differs', () => {
    const status: StatusWithConditions = {};
    const conditions = new StatusConditions(() => status, undefined, new ManualClock());
    conditions.set('Available', 'Unknown', 'R');
    const before = status.conditions;
    conditions.set('Available', 'Unknown', 'R');
    conditions.remove('Progressing');
    expect(status.conditions).toBe(before);
    conditions.remove('Available');
    expect(status.conditions).toEqual([]);
  });
});
