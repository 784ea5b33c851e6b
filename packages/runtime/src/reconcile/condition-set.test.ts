import { ManualClock } from '@evenkeel/core';
import { StatusConditions, type StatusWithConditions } from './condition-set.ts';

describe('StatusConditions', () => {
  it('changes lastTransitionTime only if the status changes, and keeps the existing conditions', async () => {
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

  it('keeps the same array if nothing differs', () => {
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

  it.each<[Parameters<StatusConditions['set']>, string]>([
    [
      ['Avail able', true, 'R'],
      'invalid type; use one CamelCase word such as Available, optionally with a domain and a slash before it',
    ],
    [
      ['a/b/c', true, 'R'],
      'invalid type; use one CamelCase word such as Available, optionally with a domain and a slash before it',
    ],
    [
      ['', true, 'R'],
      'invalid type; use one CamelCase word such as Available, optionally with a domain and a slash before it',
    ],
    [['Available', 'yes' as never, 'R'], "invalid status yes; use true, false or 'Unknown'"],
    [['Available', undefined as never, 'R'], "invalid status undefined; use true, false or 'Unknown'"],
    [
      ['Available', true, ''],
      'invalid reason ""; use one CamelCase word such as MinimumReplicasAvailable, and put sentences into the message',
    ],
    [
      ['Available', true, 'no pod'],
      'invalid reason "no pod"; use one CamelCase word such as MinimumReplicasAvailable, and put sentences into the message',
    ],
    [
      ['Available', true, 'no '.repeat(1000)],
      `invalid reason "${'no '.repeat(1000).slice(0, 128)}"; use one CamelCase word such as MinimumReplicasAvailable, and put sentences into the message`,
    ],
  ])('throws for %j, because the server would reject the whole status', (given, message) => {
    const status: StatusWithConditions = {};
    const conditions = new StatusConditions(() => status, 1, new ManualClock());
    expect(() => conditions.set(...given)).toThrow(`condition ${JSON.stringify(given[0])}: ${message}`);
    expect(status).toEqual({});
  });

  it('accepts a domain before the type, and truncates a message to the limit of the server', () => {
    const status: StatusWithConditions = {};
    const conditions = new StatusConditions(() => status, 1, new ManualClock());
    conditions.set('example.com/Available', false, 'Because_of:That', 'x'.repeat(40_000));
    expect(conditions.get('example.com/Available')?.message).toHaveLength(32_768);
  });
});
