import { createTerminal } from '../terminal.ts';
import { CommandTerminal } from './command-terminal.ts';

function output(isJson: boolean): { terminal: CommandTerminal; out: string[]; err: string[] } {
  const out: string[] = [];
  const err: string[] = [];
  const streams = { out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const given = createTerminal({ folder: '/app', isInteractive: true, ...streams });
  return { terminal: new CommandTerminal(given, () => isJson), out, err };
}

function report(terminal: CommandTerminal): void {
  terminal.out('config/crd/a.yaml written');
  terminal.add({ files: ['config/crd/a.yaml'] });
  terminal.err('loading');
  terminal.err('the schema is not exact; it has no pattern', 'notice');
  terminal.finding({
    level: 'error',
    code: 'invalid-config',
    message: 'src/a.ts:7: it is a string; change the type:\n    @Type()',
  });
  terminal.finding({ level: 'error', message: 'the server said no; and nothing else', className: '' });
  terminal.event({ topic: 'server' });
  terminal.finish('generate', 1, false);
}

describe('CommandTerminal', () => {
  it('prints lines for people', () => {
    const { terminal, out, err } = output(false);
    report(terminal);
    expect(out).toEqual(['config/crd/a.yaml written']);
    expect(err).toEqual([
      'loading',
      'notice: the schema is not exact; it has no pattern',
      'error: src/a.ts:7: it is a string; change the type: [invalid-config]',
      '    @Type()',
      'error: the server said no; and nothing else',
    ]);
    expect(terminal.isInteractive).toBe(true);
  });

  it('prints events and one document for programs, with the place and the fix of an error', () => {
    const { terminal, out, err } = output(true);
    report(terminal);
    const [event, ...document] = out;
    expect(event).toBe('{"topic":"server"}');
    expect(JSON.parse(document.join('\n'))).toEqual({
      version: 1,
      command: 'generate',
      ok: false,
      files: ['config/crd/a.yaml'],
      findings: [
        { level: 'notice', message: 'the schema is not exact; it has no pattern' },
        {
          level: 'error',
          code: 'invalid-config',
          location: { file: 'src/a.ts', line: 7 },
          message: 'src/a.ts:7: it is a string; change the type:\n    @Type()',
          fix: 'change the type:\n    @Type()',
        },
        // A message from elsewhere has no form of ours.
        { level: 'error', message: 'the server said no; and nothing else' },
      ],
    });
    expect(err).toEqual(['loading']);
    expect(terminal.isInteractive).toBe(false);
  });

  it('writes characters that a terminal acts on as JSON escapes', () => {
    const { terminal, out } = output(true);
    const message = '\u001b[2J\u202e\u009b\u2028"';
    terminal.err(message, 'error');
    terminal.finish('dev', 1, true);
    expect(out).toHaveLength(1);
    expect(out[0]).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(out[0] ?? '').findings).toEqual([{ level: 'error', message }]);
  });
});
