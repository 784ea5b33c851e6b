import { type ApiResource, ManualClock, ObjectKey, resourceOf, type WitnessedRun } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import { journalReport } from './journal-report.ts';
import { OperatorJournal } from './operator-journal.ts';

/** A run of the object `a` of the kind ConfigMap, or of another name, which writes a Secret of this name. */
function run(result: string, { name = 'a', wrote }: { name?: string; wrote?: string } = {}): WitnessedRun {
  const written: ApiResource[] = wrote === undefined ? [] : [resourceOf(Secret)];
  return {
    controller: 'site',
    kind: 'ConfigMap',
    key: new ObjectKey(name, 'web'),
    objects: [
      { resource: resourceOf(ConfigMap), key: new ObjectKey(name, 'web') },
      ...written.map((resource) => ({ resource, key: new ObjectKey(wrote ?? '', 'web') })),
    ],
    isFailed: result.startsWith('failed'),
    describe: () => ({ text: result, result, aside: '1 ms' }),
  };
}

/** The report of a manager with these runs to an assertion that read the Secret `web/key`. */
function reportOf(...runs: readonly WitnessedRun[]): string[] {
  const call = new Error('call');
  const journal = new OperatorJournal({ call, clock: new ManualClock() });
  const entry = journal.created({
    call,
    controllers: [{ name: 'site', resource: resourceOf(ConfigMap) }],
    namespaces: undefined,
    lease: undefined,
    now: () => [],
    stop: () => Promise.resolve(),
  });
  for (const one of runs) entry.ran(one);
  return journalReport([journal], [{ resource: 'secrets', namespace: 'web', name: 'key' }])
    .split('\n')
    .slice(3)
    .map((line) => line.replace(/^( *)\d.* ago: /, '$1'));
}

describe('journalReport()', () => {
  it('has the runs that wrote what an assertion read, and all later runs of the same objects', () => {
    const failed = 'failed: delete secrets web/key: forbidden';
    expect(
      reportOf(
        run('created Secret key', { wrote: 'key' }),
        run('nothing to do', { name: 'b' }),
        run(failed),
        run(failed),
      ),
    ).toEqual([
      '  last runs of ConfigMap web/a:',
      '    created Secret key [1 ms]',
      `    ${failed} [1 ms; the last of 2 times since 0.00 s ago]`,
    ]);
  });

  it('has the failed runs of an object that are older than those that it lists', () => {
    const runs = [1, 2, 3, 4, 5].map((count) => run(`updated Secret key (${count})`, { wrote: 'key' }));
    expect(reportOf(run('failed: no key'), ...runs)).toEqual([
      '  last runs of ConfigMap web/a:',
      ...[1, 2, 3, 4, 5].map((count) => `    updated Secret key (${count}) [1 ms]`),
      '  other errors:',
      '    site web/a: failed: no key  1 ms',
    ]);
  });
});
