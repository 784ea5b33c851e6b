import { run } from '../../../packages/cli/src/run.ts';

describe('config', () => {
  it('is up to date with the classes; fix it with "npx evenkeel generate"', async () => {
    const lines: string[] = [];
    const say = (line: string): void => void lines.push(line);
    const folder = `${import.meta.dirname}/..`;
    const exitCode = await run(['generate', '--check', '--timeout', '10m'], { folder, out: say, err: say });
    expect({ exitCode, lines }).toEqual({ exitCode: 0, lines: [expect.stringMatching(/^\d+ files are current$/)] });
  });
});
