import { createTerminal } from './terminal.ts';

function recorded(hasColors = false) {
  const out: string[] = [];
  const err: string[] = [];
  const streams = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  return { terminal: createTerminal({ folder: '/app', hasColors, ...streams }), out, err };
}

describe('the terminal of a command', () => {
  it('escapes everything except newlines, and puts the level before each line', () => {
    const { terminal, out, err } = recorded();
    terminal.out('a\u001b[2J\n\u202eb');
    terminal.err('no default\r\u0085\nerrors: 0', 'error');
    expect([out, err]).toEqual([
      ['a\\u001b[2J', '\\u202eb'],
      ['error: no default\\r\\u0085', 'error: errors: 0'],
    ]);
  });

  it('colours only the level', () => {
    const { terminal, err } = recorded(true);
    terminal.err('odd \u001b[31m', 'notice');
    expect(err).toEqual(['\u001b[1m\u001b[33mnotice\u001b[39m\u001b[22m: odd \\u001b[31m']);
  });

  it('prints JSON with the same meaning', () => {
    const { terminal, out } = recorded();
    const value = { text: 'a\u0085\u202e\u007f\ud800\n\u001b', list: ['b'] };
    terminal.out(JSON.stringify(value, undefined, 2));
    expect(JSON.parse(out.join('\n'))).toEqual(value);
  });
});
