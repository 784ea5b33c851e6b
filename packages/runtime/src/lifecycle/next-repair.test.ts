import { nextRepair, type Repair } from './next-repair.ts';

const budget = { max: 2, per: '1h' } as const;
const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minutes));
const repaired = (uid: string, minutes: number): Repair => ({ uid, time: at(minutes).toISOString() });

describe('nextRepair', () => {
  it('does nothing if nothing has failed, and keeps no repairs that do not count', () => {
    expect(nextRepair([], [repaired('a', 0)], budget, at(1))).toEqual({ outcome: 'none' });
    const repairs = [repaired('b', 90)];
    expect(nextRepair([{ uid: 'b' }], [repaired('a', 0)], budget, at(90))).toEqual({ outcome: 'record', repairs });
  });

  it('records a repair before it is made, and returns it until the member is gone', () => {
    const first = nextRepair([{ uid: 'a' }, { uid: 'b' }], [], budget, at(0));
    expect(first).toEqual({ outcome: 'record', repairs: [repaired('a', 0)] });
    const failed = [{ uid: 'b' }, { uid: 'a' }];
    for (const minute of [0, 1, 500]) {
      const again = nextRepair(failed, [repaired('a', 0)], budget, at(minute));
      expect(again).toEqual({ outcome: 'repair', member: { uid: 'a' } });
    }
  });

  it('stops when the budget is used up, until the oldest repair no longer counts', () => {
    const repairs = [repaired('b', 20), repaired('a', 0)];
    expect(nextRepair([{ uid: 'c' }], repairs, budget, at(59))).toEqual({ outcome: 'exhausted', until: at(60) });
    expect(nextRepair([{ uid: 'c' }], repairs, budget, at(60))).toEqual({
      outcome: 'record',
      repairs: [repaired('b', 20), repaired('c', 60)],
    });
    // After the budget was lowered.
    const lower = { max: 1, per: '1h' } as const;
    expect(nextRepair([{ uid: 'c' }], repairs, lower, at(59))).toEqual({ outcome: 'exhausted', until: at(80) });
  });

  it('never starts more than the budget allows, although it is killed after any step', () => {
    let repairs: readonly Repair[] = [];
    const started: number[] = [];
    // Each pod fails at once, and its repair replaces it.
    let pod = 0;
    for (let minute = 0; minute < 600; minute++) {
      const next = nextRepair([{ uid: String(pod) }], repairs, budget, at(minute));
      if (next.outcome === 'record') {
        repairs = next.repairs;
        started.push(minute);
      } else if (next.outcome === 'repair') pod++;
    }
    expect(started.length).toBeGreaterThan(10);
    for (const minute of started) {
      expect(started.filter((other) => other >= minute && other < minute + 60).length).toBeLessThanOrEqual(budget.max);
    }
  });
});
