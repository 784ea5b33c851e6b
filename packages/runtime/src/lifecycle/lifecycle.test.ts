import { backUp } from './back-up.ts';
import { checkUpgrade } from './check-upgrade.ts';
import { nextChange } from './next-change.ts';
import { quorumOf } from './quorum.ts';
import { quorumBudget } from './quorum-budget.ts';

interface Member {
  readonly name: string;
  readonly isCurrent?: boolean;
  readonly isHealthy?: boolean;
  readonly isDown?: boolean;
  readonly isLast?: boolean;
}

const next = (...members: Member[]) =>
  nextChange(members, {
    isCurrent: ({ isCurrent = false }) => isCurrent,
    isHealthy: ({ isHealthy = true }) => isHealthy,
    isDown: ({ isDown = false }) => isDown,
    isLast: ({ isLast = false }) => isLast,
  });

describe('quorumOf', () => {
  it('is the smallest majority, so that two quorums always share a member', () => {
    for (let size = 1; size <= 9; size++) {
      expect(2 * quorumOf(size)).toBeGreaterThan(size);
      expect(2 * (quorumOf(size) - 1)).toBeLessThanOrEqual(size);
    }
  });
});

describe('nextChange', () => {
  it('changes one member after the other, and those that should be last at the end', () => {
    const [a, b, c] = [{ name: 'a', isLast: true }, { name: 'b' }, { name: 'c' }];
    expect(next(a, b, c)).toEqual({ outcome: 'change', member: b, interrupts: false });
    expect(next(a, { ...b, isCurrent: true }, c)).toMatchObject({ member: c });
    expect(next(a, { ...b, isCurrent: true }, { ...c, isCurrent: true })).toMatchObject({ member: a });
    expect(next({ ...a, isCurrent: true })).toEqual({ outcome: 'done' });
  });

  it('waits until all are healthy before it stops a member, also one that only does not respond', () => {
    const [a, b, c] = [
      { name: 'a', isCurrent: true, isHealthy: false },
      { name: 'b' },
      { name: 'c', isHealthy: false },
    ];
    expect(next(a, b, c)).toEqual({ outcome: 'wait', unhealthy: [a, c] });
  });

  it('changes a member that is down at once, so that a wrong image can be corrected', () => {
    const [a, b] = [{ name: 'a' }, { name: 'b', isHealthy: false, isDown: true }];
    expect(next(a, b)).toEqual({ outcome: 'change', member: b, interrupts: false });
  });

  it('is done if all are current, whether or not they are healthy', () => {
    expect(next({ name: 'a', isCurrent: true, isHealthy: false })).toEqual({ outcome: 'done' });
  });

  it('reports that fewer than three members have no quorum during the change', () => {
    const interrupts = (count: number): unknown =>
      next(...Array.from({ length: count }, (_, index) => ({ name: `${index}` })));
    expect([1, 2, 3, 4].map(interrupts)).toMatchObject([
      { interrupts: true },
      { interrupts: true },
      { interrupts: false },
      { interrupts: false },
    ]);
  });
});

describe('checkUpgrade', () => {
  it('accepts the same minor version with any patch, and the next minor version', () => {
    for (const to of ['3.5.0', '3.5.21', 'v3.5.1', '3.6.0', '3.6']) expect(checkUpgrade('3.5.9', to)).toBeUndefined();
  });

  it('reports why another version is refused', () => {
    expect(checkUpgrade('3.4.9', '3.6.1')).toBe('upgrade to 3.5 first, because 3.6.1 skips minor versions after 3.4.9');
    expect(checkUpgrade('3.6.1', '3.5.9')).toBe('3.5.9 cannot read the data of 3.6.1; restore a backup to go back');
    expect(checkUpgrade('3.6.1', '4.0.0')).toBe('the major version must not change from 3.6.1 to 4.0.0');
    expect(checkUpgrade('3.6.1', 'latest')).toBe('"latest" is not a version such as 3.6.16');
    expect(checkUpgrade('', '3.6.1')).toBe('"" is not a version such as 3.6.16');
    expect(checkUpgrade('3.9.1', '3.10.0')).toBeUndefined();
  });

  it('follows the upgrade path of the operand, if it is given', () => {
    const check = (from: string, to: string) => checkUpgrade(from, to, ['10.6', '10.11', '11.4']);
    for (const to of ['10.6.1', '10.6.30', '10.11.19']) expect(check('10.6.21', to)).toBeUndefined();
    expect(check('10.11.19', '11.4.5')).toBeUndefined();
    expect(check('10.6.21', '11.4.5')).toBe('upgrade to 10.11 first, because 11.4.5 skips releases after 10.6.21');
    expect(check('11.4.5', '10.11.19')).toBe('10.11.19 cannot read the data of 11.4.5; restore a backup to go back');
    expect(check('10.6.21', '10.7.1')).toBe('10.7.1 does not belong to one of the releases 10.6, 10.11, 11.4');
    expect(check('10.5.9', '10.6.21')).toBe('10.5.9 does not belong to one of the releases 10.6, 10.11, 11.4');
    expect(check('10.6.21', 'latest')).toBe('"latest" is not a version such as 3.6.16');
  });
});

describe('quorumBudget', () => {
  it('keeps a quorum of the members that vote', () => {
    const budget = quorumBudget({ name: 'db' }, { app: 'db' }, 5);
    expect(budget.spec).toEqual({ minAvailable: 3, selector: { matchLabels: { app: 'db' } } });
  });
});

describe('backUp', () => {
  /** A store of backups, which are named after their time. */
  class Store {
    stored: { takenAt: string }[] = [];
    now = new Date('2026-01-01T00:00:00Z');
    failure: Error | undefined;

    list = async () => this.stored.toReversed();
    take = async () => {
      if (this.failure !== undefined) throw this.failure;
      const backup = { takenAt: this.now.toISOString() };
      this.stored.push(backup);
      return backup;
    };
    remove = async (backup: { takenAt: string }) => {
      this.stored = this.stored.filter((other) => other !== backup);
    };

    async run(hours: number, maxBackups = 3, isPeriodic = true) {
      this.now = new Date(Date.UTC(2026, 0, 1, hours));
      const plan = { maxBackups, ...(isPeriodic ? { interval: '2h' as const } : {}) };
      const report = await backUp(plan, this, this.now);
      expect(report.backups).toEqual(this.stored);
      return { taken: report.taken !== undefined, next: report.next?.getUTCHours() };
    }

    get hours(): number[] {
      return this.stored.map(({ takenAt }) => new Date(takenAt).getUTCHours());
    }
  }

  it('takes the first backup at once, and then one in each interval', async () => {
    const store = new Store();
    expect(await store.run(0)).toEqual({ taken: true, next: 2 });
    expect(await store.run(1)).toEqual({ taken: false, next: 2 });
    expect(await store.run(2)).toEqual({ taken: true, next: 4 });
  });

  it('takes one backup for all that were missed, and keeps the latest ones', async () => {
    const store = new Store();
    for (const hours of [0, 2, 4, 11]) await store.run(hours);
    expect(store.hours).toEqual([2, 4, 11]);
    await store.run(12, 1);
    expect(store.hours).toEqual([11]);
  });

  it('takes only one backup without an interval', async () => {
    const store = new Store();
    expect(await store.run(0, 3, false)).toEqual({ taken: true, next: undefined });
    expect(await store.run(9, 3, false)).toEqual({ taken: false, next: undefined });
  });

  it('deletes nothing if the new backup fails', async () => {
    const store = new Store();
    for (const hours of [0, 2]) await store.run(hours, 2);
    store.failure = new Error('disk full');
    await expect(store.run(4, 1)).rejects.toThrow('disk full');
    expect(store.hours).toEqual([0, 2]);
  });
});
