import { packageManagerProgram } from './run-program.ts';

const names = ['npm_execpath', 'npm_config_user_agent', 'npm_config_registry'] as const;
const before = Object.fromEntries(names.map((name) => [name, process.env[name]]));
afterEach(() => set(before));

function set(variables: Readonly<Record<string, string | undefined>>): void {
  for (const name of names) {
    if (variables[name] === undefined) delete process.env[name];
    else process.env[name] = variables[name];
  }
}

describe('the program of a package manager', () => {
  it('is the one that runs the command', () => {
    set({ npm_execpath: '/a/npm-cli.js', npm_config_user_agent: 'npm/11.19.1 node/v24.21.0' });
    expect(packageManagerProgram('npm')).toEqual({ path: process.execPath, arguments: ['/a/npm-cli.js'] });
    expect(packageManagerProgram('pnpm')).toEqual({ path: 'pnpm', arguments: [] });
    set({ npm_execpath: '/a/bun', npm_config_user_agent: 'bun/1.4.5 npm/? node/v24.3.0' });
    expect(packageManagerProgram('bun')).toEqual({ path: '/a/bun', arguments: [] });
    expect(packageManagerProgram('npm')).toEqual({ path: 'npm', arguments: [] });
  });

  it('uses the registry of its own settings instead of the default of yarn 1', () => {
    const yarn = { npm_execpath: '/a/yarn.js', npm_config_user_agent: 'yarn/1.22.22 npm/? node/v24.21.0' };
    set({ ...yarn, npm_config_registry: 'https://registry.yarnpkg.com' });
    for (const name of ['npm', 'yarn'] as const)
      expect(packageManagerProgram(name).variables).toEqual({ npm_config_registry: undefined });
    set({ ...yarn, npm_config_registry: 'https://registry.example.com' });
    expect(packageManagerProgram('npm').variables).toBeUndefined();
  });
});
