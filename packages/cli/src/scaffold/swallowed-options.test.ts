import { initCommand } from '../commands/init.ts';
import { CommandTerminal } from '../report/command-terminal.ts';
import { createTerminal } from '../terminal.ts';
import { rejectSwallowedOptions } from './swallowed-options.ts';

const streams = { folder: '/', out: () => undefined, err: () => undefined };
const { options } = initCommand(new CommandTerminal(createTerminal(streams), () => false), () => undefined);

/** The error if npm passes these words and sets these variables. */
function rejection(words: readonly string[], variables: Readonly<Record<string, string>>): string | undefined {
  const settings = Object.entries(variables).map(([name, value]) => [`npm_config_${name}`, value]);
  const agent = 'npm/11.19.1 node/v24.21.0 linux x64 workspaces/false';
  try {
    rejectSwallowedOptions(words, options, { npm_config_user_agent: agent, ...Object.fromEntries(settings) });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('rejectSwallowedOptions()', () => {
  it.each([
    [
      'npm create evenkeel shop --kind Shop --group shop.example.com',
      ['shop', 'Shop', 'shop.example.com'],
      { kind: 'true', group: 'true' },
      'npm did not pass --kind, --group to the command, because "--" is missing before the options; run "npm create evenkeel@latest shop -- --kind Shop --group shop.example.com"',
    ],
    [
      'npm create evenkeel --group=shop.example.com --kind Shop shop',
      ['Shop', 'shop'],
      { kind: 'true', group: 'shop.example.com' },
      'npm did not pass --kind, --group to the command, because "--" is missing before the options; run "npm create evenkeel@latest shop -- --kind Shop --group shop.example.com"',
    ],
    [
      'npm create evenkeel --functions --github-actions --no-install --no-git',
      [],
      { functions: 'true', github_actions: 'true', install: '', git: 'false' },
      'npm did not pass --functions, --github-actions, --no-install, --no-git to the command, because "--" is missing before the options; run "npm create evenkeel@latest my-operator -- --functions --github-actions --no-install --no-git"',
    ],
    [
      'npm create evenkeel shop --kind',
      ['shop'],
      { kind: 'true' },
      'npm did not pass --kind to the command, because "--" is missing before the options; run "npm create evenkeel@latest shop -- --kind <names>"',
    ],
  ])('names the options of %s, and the correct command', (_, words, variables, message) => {
    expect(rejection(words, variables)).toBe(message);
  });

  it('accepts settings of npm itself', () => {
    expect(rejection(['shop'], { yes: 'true', git: '/usr/bin/git', loglevel: 'verbose', output: 'x' })).toBeUndefined();
  });

  it('accepts the variables if another program runs the command', () => {
    const environment = { npm_config_kind: 'true', npm_config_user_agent: 'pnpm/12.21.0 npm/? node/v24.21.0' };
    expect(() => rejectSwallowedOptions(['shop'], options, environment)).not.toThrow();
    expect(() => rejectSwallowedOptions(['shop'], options, { npm_config_kind: 'true' })).not.toThrow();
  });
});
