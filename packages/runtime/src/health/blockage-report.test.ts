import { type LogKeys, ObjectKey, SilentLogger } from '@evenkeel/core';
import type { ControllerState } from '../controller/running-controller.ts';
import type { ReconcileRun } from '../reconcile/reconcile-run.ts';
import { BlockageReport } from './blockage-report.ts';

function report(...running: string[]) {
  const lines: LogKeys[] = [];
  const logger = Object.assign(new SilentLogger(), {
    warn: (_message: string, keys: LogKeys = {}) => lines.push(keys),
  });
  const state = { name: 'nginx', running: running.map((key) => ({ key, forMs: 9999, stuck: false })) };
  return { lines, instance: new BlockageReport(() => [state as unknown as ControllerState], logger) };
}

const ended = (name: string, durationMs = 9999) =>
  ({ controller: 'nginx', key: new ObjectKey(name, 'default'), durationMs }) as unknown as ReconcileRun;

describe('BlockageReport', () => {
  it('logs the only run that can have blocked, current or just finished', () => {
    const underWay = report('default/a');
    underWay.instance.report(1200);
    expect(underWay.lines).toEqual([{ blockedMs: 1200, controller: 'nginx', namespace: 'default', name: 'a' }]);
    const over = report();
    over.instance.ended(ended('b'));
    over.instance.report(1300);
    expect(over.lines).toEqual([{ blockedMs: 1300, controller: 'nginx', namespace: 'default', name: 'b' }]);
  });

  it('logs all runs that can have blocked, except those that finished before the last beat', () => {
    const { lines, instance } = report('default/a');
    instance.ended(ended('early'));
    instance.forget();
    instance.ended(ended('b'));
    instance.report(2000);
    expect(lines).toEqual([
      {
        blockedMs: 2000,
        reconciles: [
          { controller: 'nginx', namespace: 'default', name: 'b' },
          { controller: 'nginx', namespace: 'default', name: 'a' },
        ],
      },
    ]);
  });

  it('remembers only the ten longest runs', () => {
    const { lines, instance } = report();
    for (let at = 0; at < 1000; at++) instance.ended(ended(`a${at}`, at < 500 ? 1 : 10));
    instance.ended(ended('late', 50));
    for (let at = 0; at < 1000; at++) instance.ended(ended(`b${at}`, 5));
    instance.report(1500);
    const reconciles = lines[0]?.['reconciles'] as { name: string }[];
    expect(reconciles).toHaveLength(10);
    expect(reconciles.map(({ name }) => name)).toContain('late');
  });

  it('logs a key once for several runs, and omits runs that were too short to block for so long', () => {
    const { lines, instance } = report('default/slow');
    for (let at = 0; at < 3; at++) instance.ended(ended('again', 1600));
    for (let at = 0; at < 8; at++) instance.ended(ended(`quick${at}`, 2));
    instance.ended(ended('slow', 1700));
    instance.report(1500);
    const reconciles = lines[0]?.['reconciles'] as { name: string }[];
    expect(reconciles.map(({ name }) => name).toSorted()).toEqual(['again', 'slow']);
  });

  it('logs all runs if no single run can have blocked for so long', () => {
    const { lines, instance } = report();
    for (const name of ['a', 'b', 'c']) instance.ended(ended(name, 500));
    instance.report(1500);
    expect(lines[0]?.['reconciles']).toHaveLength(3);
  });
});
