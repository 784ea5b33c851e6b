/** A program that installs packages, by the lockfile that it writes. */
export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  readonly lockfiles: readonly string[];
  /** The arguments that install the versions in package.json, and change the lockfile even in CI. */
  readonly install: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
}

export const npm: PackageManager = {
  name: 'npm',
  lockfiles: ['npm-shrinkwrap.json', 'package-lock.json'],
  install: ['install', '--no-audit', '--no-fund', '--loglevel=error'],
};

export const packageManagers: readonly PackageManager[] = [
  { name: 'pnpm', lockfiles: ['pnpm-lock.yaml'], install: ['install', '--no-frozen-lockfile'] },
  // The variable is that of yarn 2 and later; the first version has none and does not need it.
  {
    name: 'yarn',
    lockfiles: ['yarn.lock'],
    install: ['install'],
    variables: { YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' },
  },
  { name: 'bun', lockfiles: ['bun.lock', 'bun.lockb'], install: ['install'] },
  npm,
];

/** A package manager that runs a command, such as `pnpm create`. */
export interface RunningManager {
  readonly manager: PackageManager;
  /** Its major version. */
  readonly version: number;
}

/**
 * Returns the package manager that has started this process. Default: npm.
 *
 * @param agent what each package manager sets for the commands that it runs, such as `pnpm/12.21.0 npm/? node/v24.0.0`. Default: the
 * variable `npm_config_user_agent`.
 */
export function runningManager(agent: string | undefined = process.env['npm_config_user_agent']): RunningManager {
  const [, name, version = ''] = /^(\w+)\/(\d+)/.exec(agent ?? '') ?? [];
  const manager = packageManagers.find((each) => each.name === name);
  return manager === undefined ? { manager: npm, version: 11 } : { manager, version: Number(version) };
}
