import { ObjectKey } from '@evenkeel/core';
import { LastRuns } from './last-runs.ts';
import type { RunSummary } from './run-summary.ts';

const key = new ObjectKey('web', 'default');

function run(controller: string, outcome: RunSummary['outcome'], of = key): RunSummary {
  return { controller, kind: 'Nginx', key: String(of), outcome };
}

describe('LastRuns', () => {
  it('returns the last run of each controller for the object', () => {
    const runs = new LastRuns();
    runs.note(run('one', 'failed'));
    runs.note(run('one', 'await-change'));
    runs.note(run('two', 'failed'));
    runs.note(run('one', 'conflict', new ObjectKey('web', 'other')));
    expect(runs.of('Nginx', key).map(({ controller, outcome }) => [controller, outcome])).toEqual([
      ['one', 'await-change'],
      ['two', 'failed'],
    ]);
    expect(runs.of('Other', key)).toEqual([]);
  });

  it('forgets a deleted object, so that a new object of the same name has no runs', () => {
    const runs = new LastRuns();
    runs.note(run('one', 'failed'));
    runs.note(run('two', 'gone'));
    expect(runs.of('Nginx', key)).toEqual([]);
  });
});
