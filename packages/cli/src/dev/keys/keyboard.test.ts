import { EventEmitter } from 'node:events';
import { ManualClock } from '@evenkeel/core';
import { Narrator } from '../narrator.ts';
import { Keyboard } from './keyboard.ts';

class FakeInput extends EventEmitter {
  readonly isTTY: boolean;
  isRaw = false;
  isPaused = true;

  constructor(isTTY = true) {
    super();
    this.isTTY = isTTY;
  }

  readonly modes: boolean[] = [];

  setRawMode(isRaw: boolean): void {
    this.isRaw = isRaw;
    this.modes.push(isRaw);
  }

  resume(): void {
    this.isPaused = false;
  }

  pause(): void {
    this.isPaused = true;
  }

  type(text: string): void {
    this.emit('data', Buffer.from(text));
  }
}

function keyboardOn(input: FakeInput) {
  const clock = new ManualClock();
  const lines: string[] = [];
  const pressed: string[] = [];
  const sent: string[] = [];
  let onContinue = (): void => undefined;
  const keyboard = Keyboard.on(
    [
      { name: 'r', description: 'reload', run: () => void pressed.push('r') },
      { name: 'x', description: 'reset', question: 'Delete all?', run: () => void pressed.push('x') },
      { name: 'd', description: 'dump', run: () => Promise.reject(new Error('no space')) },
    ],
    {
      ...{ clock, input, narrator: new Narrator({ write: (text) => lines.push(text) }, clock, 0) },
      signals: {
        send: (signal) => sent.push(signal),
        onContinue: (listener) => {
          onContinue = listener;
        },
      },
    },
  );
  return { keyboard, clock, lines, pressed, sent, continue: () => onContinue() };
}

describe('Keyboard', () => {
  it('runs a key without Enter, and ignores others and the arrows', async () => {
    const input = new FakeInput();
    const { pressed } = keyboardOn(input);
    expect(input.isRaw).toBe(true);
    input.type('r');
    input.type('\u001b[A');
    input.type('zr\r');
    expect(pressed).toEqual(['r', 'r']);
  });

  it('asks before it runs a key with a question, and runs it only if the next key is the same and soon', async () => {
    const input = new FakeInput();
    const { pressed, lines, clock } = keyboardOn(input);
    input.type('x');
    expect(lines.join('')).toContain('Delete all? Press x again to confirm.');
    input.type('r');
    input.type('x');
    await clock.advance(6000);
    input.type('x');
    expect(pressed).toEqual(['r']);
    input.type('x');
    expect(pressed).toEqual(['r', 'x']);
  });

  it('lists the keys', async () => {
    const input = new FakeInput();
    const { lines } = keyboardOn(input);
    input.type('h');
    expect(lines).toEqual(['\n', '  r  reload\n', '  x  reset\n', '  d  dump\n', '  h  list the keys\n', '\n']);
  });

  it('reports a key that fails', async () => {
    const input = new FakeInput();
    const { lines } = keyboardOn(input);
    input.type('d');
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines.join('')).toMatch(/error +no space/);
  });

  it('sends the signals that the terminal no longer sends, and reads keys again when the process continues', async () => {
    const input = new FakeInput();
    const keyboard = keyboardOn(input);
    input.type('\u0003');
    input.type('\u001a');
    expect(keyboard.sent).toEqual(['SIGINT', 'SIGTSTP']);
    expect(input.isRaw).toBe(false);
    keyboard.continue();
    expect(input.isRaw).toBe(true);
  });

  it('sets the mode again after another process has changed it', () => {
    const input = new FakeInput();
    const { keyboard } = keyboardOn(input);
    input.modes.splice(0);
    keyboard?.refresh();
    // A terminal ignores the mode that it has already.
    expect(input.modes).toEqual([false, true]);
  });

  it('restores the terminal when it is closed', async () => {
    const input = new FakeInput();
    const { keyboard, pressed, continue: goOn } = keyboardOn(input);
    keyboard?.close();
    goOn();
    input.type('r');
    expect([input.isRaw, input.isPaused, pressed]).toEqual([false, true, []]);
  });

  it('does not exist without a terminal, whose mode it does not change', async () => {
    const input = new FakeInput(false);
    const { keyboard } = keyboardOn(input);
    expect([keyboard, input.isRaw, input.listenerCount('data')]).toEqual([undefined, false, 0]);
  });
});
