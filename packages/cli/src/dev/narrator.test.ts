import { ManualClock } from '@evenkeel/core';
import { Narrator } from './narrator.ts';

async function narrate(isTTY: boolean): Promise<string> {
  const clock = new ManualClock();
  let written = '';
  const narrator = new Narrator({ isTTY, write: (text: string) => (written += text) }, clock, clock.monotonic());
  await clock.advance(1234);
  narrator.tell('reconcile', 'default/web', { aside: '4 ms' });
  narrator.tell('available', 'default/web', { tone: 'good' });
  narrator.say('two\nlines');
  return written;
}

describe('Narrator', () => {
  it('tells when, about what and what, in plain lines where nobody looks at a terminal', async () => {
    expect(await narrate(false)).toBe(
      '  1.23 s  reconcile  default/web  4 ms\n  1.23 s  available  default/web\ntwo\nlines\n',
    );
  });

  it('uses colour in a terminal, and says the same', async () => {
    const colourful = await narrate(true);
    expect(colourful).toContain('\u001b[32mdefault/web\u001b[39m');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    expect(colourful.replaceAll(/\u001b\[\d+m/g, '')).toBe(await narrate(false));
  });
});
