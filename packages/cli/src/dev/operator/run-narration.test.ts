import { ManualClock, ObjectKey } from '@evenkeel/core';
import type { ReconcileRun } from '@evenkeel/runtime';
import { Narrator } from '../narrator.ts';
import { RunNarration } from './run-narration.ts';

const regarding = { apiVersion: 'web.example.com/v1', kind: 'Site', metadata: { name: 'web', namespace: 'default' } };

function narrate(): { readonly narration: RunNarration; readonly lines: () => string[] } {
  let printed = '';
  const output = {
    write: (text: string) => {
      printed += text;
    },
  };
  const narration = new RunNarration(new Narrator(output, new ManualClock(), 0), '/project');
  const lines = (): string[] =>
    printed
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/^ *[\d.]+ s +/, ''));
  return { narration, lines };
}

function runOf(error?: Error): ReconcileRun {
  if (error !== undefined) error.stack = '';
  return {
    controller: 'site',
    kind: 'Site',
    key: new ObjectKey('web', 'default'),
    triggers: [],
    writes: [],
    durationMs: 2,
    outcome: error === undefined ? 'await-change' : 'failed',
    ...(error === undefined ? {} : { error }),
  };
}

describe('RunNarration', () => {
  it('prints the text of an Event once if the run fails with it', () => {
    const { narration, lines } = narrate();
    const note = 'it exists, and $& is not controlled by this Site';
    const warning = { regarding, type: 'Warning', reason: 'ForeignChild', note } as const;
    for (let times = 0; times < 2; times++) {
      narration.event(warning);
      narration.observe(runOf(new Error(`Site default/web: ${note}`)));
    }
    expect(lines()).toEqual([
      `event      default/web: Warning ForeignChild: ${note}`,
      expect.stringMatching(
        /^reconcile {2}default\/web: .*failed: Site default\/web: see the Event ForeignChild {2}2 ms$/,
      ),
      `event      default/web: Warning ForeignChild: ${note}  (2 times)`,
      expect.stringMatching(/^reconcile .* see the Event ForeignChild {2}\(2 times\) {2}2 ms$/),
    ]);
  });

  it('does not shorten a failure by the Event of an earlier run', () => {
    const { narration, lines } = narrate();
    narration.event({ regarding, type: 'Warning', reason: 'Shy', note: 'no words' });
    narration.observe(runOf());
    narration.observe(runOf(new Error('no words')));
    expect(lines().at(-1)).toContain('failed: no words');
  });
});
