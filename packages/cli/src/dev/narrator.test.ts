import { ManualClock } from '@evenkeel/core';
import { Narrator } from './narrator.ts';

async function narrate(isTTY: boolean): Promise<string> {
  const clock = new ManualClock();
  let written = '';
  const narrator = new Narrator({ isTTY, write: (text: string) => (written += text) }, clock, clock.monotonic());
  await clock.advance(1234);
  narrator.report('reconcile', 'default/web', { aside: '4 ms' });
  narrator.report('available', 'default/web', { tone: 'good' });
  narrator.print('two\nlines');
  return written;
}

describe('Narrator', () => {
  it('prints the time, the topic and the text in plain lines if the output is not a terminal', async () => {
    expect(await narrate(false)).toBe(
      '  1.23 s  reconcile  default/web  4 ms\n  1.23 s  available  default/web\ntwo\nlines\n',
    );
  });

  it('prints the same text with colours in a terminal', async () => {
    const colourful = await narrate(true);
    expect(colourful).toContain('\u001b[32mdefault/web\u001b[39m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    expect(colourful.replaceAll(/\u001b\[\d+m/g, '')).toBe(await narrate(false));
  });
});
