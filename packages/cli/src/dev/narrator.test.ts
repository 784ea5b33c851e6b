import { ManualClock } from '@evenkeel/core';
import { Narrator } from './narrator.ts';

async function narrate(isTTY: boolean, columns?: number): Promise<string> {
  const { narrator, written, clock } = recorded(isTTY, columns);
  await clock.advance(1234);
  narrator.report('reconcile', 'default/web', { aside: '4 ms' });
  narrator.report('available', 'default/web', { tone: 'good' });
  narrator.print('a line');
  return written();
}

function recorded(isTTY = false, columns?: number) {
  const clock = new ManualClock();
  let text = '';
  const output = { isTTY, write: (more: string) => (text += more), ...(columns === undefined ? {} : { columns }) };
  return { narrator: new Narrator(output, clock, clock.monotonic()), written: () => text, clock };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
const colours = /\u001b\[\d+m/g;

describe('Narrator', () => {
  it('prints the time, the topic and the text in plain lines if the output is not a terminal', async () => {
    expect(await narrate(false)).toBe(
      '  1.23 s  reconcile  default/web  4 ms\n  1.23 s  available  default/web\na line\n',
    );
  });

  it('prints the same text with colours in a terminal', async () => {
    const colourful = await narrate(true);
    expect(colourful).toContain('\u001b[32mdefault/web\u001b[39m');
    expect(colourful.replaceAll(colours, '')).toBe(await narrate(false));
    expect((await narrate(true, 0)).replaceAll(colours, '')).toBe(await narrate(false));
  });

  it('wraps long lines to the width of a terminal, under the text, and nowhere else', () => {
    const text = 'default/web: Deployment web updated (status.readyReplicas) -> wrote status (readyReplicas)';
    const inTerminal = recorded(true, 72);
    inTerminal.narrator.report('reconcile', text, { aside: '4 ms', tone: 'bad' });
    expect(inTerminal.written().replaceAll(colours, '')).toBe(
      `  0.00 s  reconcile  default/web: Deployment web updated
                     (status.readyReplicas) -> wrote status
                     (readyReplicas)  4 ms
`,
    );
    const piped = recorded(false, 72);
    piped.narrator.report('reconcile', text);
    expect(piped.written().split('\n')).toHaveLength(2);
  });

  it.each([false, true])('escapes everything that it prints (terminal: %j)', (isTTY) => {
    const { narrator, written } = recorded(isTTY);
    const evil = 'x\u001b[2J\n  0.01 s  ready      default/web\u202e\u0085\u007f';
    narrator.report(evil, evil, { details: evil, aside: evil });
    narrator.print(evil);
    narrator.heading(evil);
    const lines = written().replaceAll(colours, '').split('\n');
    expect(lines).toHaveLength(4);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(lines[1]).toBe('x\\u001b[2J\\n  0.01 s  ready      default/web\\u202e\\u0085\\u007f');
  });

  it('marks each line of a stack as a part of it', () => {
    const { narrator, written } = recorded();
    narrator.quote('Error: odd\n  0.01 s  ready      default/web\n    at \u001b[2J');
    expect(written()).toBe('  | Error: odd\n  |   0.01 s  ready      default/web\n  |     at \\u001b[2J\n');
  });

  it('counts equal lines about an object, whatever their aside, and prints them ever more rarely', () => {
    const { narrator, written } = recorded();
    for (let times = 1; times <= 9; times++) {
      narrator.report('info', 'default/web: begins', { about: 'Site default/web', details: 'step=1' });
      narrator.report('reconcile', 'default/web: failed: no', { about: 'Site default/web', aside: `${times} ms` });
    }
    narrator.report('info', 'default/web: begins', { about: 'Site default/web', details: 'step=2' });
    narrator.report('info', 'default/web: begins', { about: 'Site default/other' });
    narrator.renew('Site default/web');
    narrator.report('reconcile', 'default/web: failed: no', { about: 'Site default/web' });
    expect(
      written()
        .split('\n')
        .map((line) => line.replace(/^ *0\.00 s +/, '')),
    ).toEqual([
      'info       default/web: begins  step=1',
      'reconcile  default/web: failed: no  1 ms',
      'info       default/web: begins  step=1  (2 times)',
      'reconcile  default/web: failed: no  (2 times)  2 ms',
      'info       default/web: begins  step=1  (4 times)',
      'reconcile  default/web: failed: no  (4 times)  4 ms',
      'info       default/web: begins  step=1  (8 times)',
      'reconcile  default/web: failed: no  (8 times)  8 ms',
      'info       default/web: begins  step=2',
      'info       default/web: begins',
      'reconcile  default/web: failed: no',
      '',
    ]);
  });

  it('counts lines by what they have in common, if that is given', () => {
    const { narrator, written } = recorded();
    for (const trigger of ['added', 'retried'])
      narrator.report('reconcile', `${trigger} -> failed: no`, { about: 'Site default/web', counted: 'failed: no' });
    expect(written()).toMatch(/added -> failed: no\n.*retried -> failed: no {2}\(2 times\)\n$/);
  });

  it('remembers a bounded number of objects', () => {
    const { narrator, written } = recorded();
    for (const object of [...Array(1001).keys(), 0, 1000]) narrator.report('event', 'Made', { about: `Job ${object}` });
    expect(
      written()
        .split('\n')
        .slice(1001)
        .map((text) => text.replace(/^.*event +/, '')),
    ).toEqual(['Made', 'Made  (2 times)', '']);
  });

  it('remembers a bounded number of lines about an object', () => {
    const { narrator, written } = recorded();
    for (let line = 0; line < 1000; line++) narrator.report('info', `line ${line}`, { about: 'Site default/web' });
    for (const line of [0, 999, 999]) narrator.report('info', `line ${line}`, { about: 'Site default/web' });
    expect(
      written()
        .split('\n')
        .slice(1000)
        .map((text) => text.replace(/^.*info +/, '')),
    ).toEqual(['line 0  (2 times)', 'line 999', 'line 999', '']);
  });
});
