import { npm, type RunningManager } from '../package-manager/package-manager.ts';

/** What a new project contains for its package manager. */
export interface ProjectManager {
  /** Its settings, by their paths. */
  readonly files: Readonly<Record<string, string>>;
  /** What git ignores besides node_modules. */
  readonly ignored: readonly string[];
  /** The commands of a workflow that install the packages of the lockfile. */
  readonly frozenInstall: readonly string[];
}

/** No package needs its install script, and the project should also install where scripts are forbidden. */
const managers: Readonly<Record<'npm' | 'pnpm' | 'yarnClassic' | 'yarn' | 'bun', ProjectManager>> = {
  npm: { files: {}, ignored: [], frozenInstall: ['npm ci --ignore-scripts'] },
  pnpm: {
    files: {
      'pnpm-workspace.yaml': '# pnpm skips install scripts. No package needs its script.\nstrictDepBuilds: false\n',
    },
    ignored: [],
    frozenInstall: ['npm install --global pnpm@VERSION', 'pnpm install --frozen-lockfile --ignore-scripts'],
  },
  yarnClassic: {
    files: {},
    ignored: [],
    frozenInstall: ['npm install --global yarn@VERSION', 'yarn install --frozen-lockfile --ignore-scripts'],
  },
  yarn: {
    files: { '.yarnrc.yml': 'nodeLinker: node-modules\n' },
    ignored: ['.yarn/install-state.gz'],
    frozenInstall: ['npm install --global @yarnpkg/cli-dist@VERSION', 'yarn install --immutable --mode=skip-build'],
  },
  bun: {
    files: {},
    ignored: [],
    frozenInstall: ['npm install --global bun@VERSION', 'bun install --frozen-lockfile --ignore-scripts'],
  },
};

export function projectManager({ manager: { name }, version }: RunningManager): ProjectManager {
  const found = managers[name === 'yarn' && version < 2 ? 'yarnClassic' : name];
  return { ...found, frozenInstall: found.frozenInstall.map((command) => command.replace('VERSION', `${version}`)) };
}

/** Returns the command that runs a script of package.json. */
export function scriptCommand({ manager }: RunningManager, script: string): string {
  return manager === npm && (script === 'test' || script === 'start')
    ? `npm ${script}`
    : `${manager.name} run ${script}`;
}
