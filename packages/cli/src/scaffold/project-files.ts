import { ownVersion } from '../own-version.ts';
import { npm } from '../package-manager/package-manager.ts';
import { controllerNameOf, kindFiles, kindPlanOf, resourceNameOf } from './kind-files.ts';
import { projectManager, scriptCommand } from './project-manager.ts';
import { fileNameOf, type ProjectPlan } from './project-plan.ts';
import { toolVersions } from './tool-versions.ts';

/** Returns the files of a new project by their paths, in the order in which a reader should see them. */
export function projectFiles(plan: ProjectPlan): Record<string, string> {
  return {
    'package.json': packageJson(plan),
    'tsconfig.json': `${JSON.stringify(compilerOptions, null, 2)}\n`,
    'evenkeel.config.ts': configuration(plan),
    ...Object.assign({}, ...plan.kinds.map((kind) => kindFiles(kind, kindPlanOf(plan)))),
    'src/operator.ts': operatorModule(plan),
    'src/main.ts': mainModule,
    ...projectManager(plan.runningManager).files,
    '.gitignore': ignored(plan),
    'README.md': readme(plan),
    ...(plan.hasGithubActions ? { '.github/workflows/test.yaml': workflow(plan) } : {}),
    ...(plan.hasDevcontainer ? { '.devcontainer/devcontainer.json': devcontainer(plan) } : {}),
  };
}

function ignored({ areGeneratedCommitted, runningManager }: ProjectPlan): string {
  const generated = ['# Generated from the classes.', 'config/*', '!config/released/', 'src/fields.ts'];
  const own = projectManager(runningManager).ignored;
  return ['node_modules/', ...own, ...(areGeneratedCommitted ? [] : generated), 'dist/', '.evenkeel/', ''].join('\n');
}

function packageJson({ name }: ProjectPlan): string {
  const own = `^${ownVersion()}`;
  const content = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=22.19' },
    scripts: {
      dev: 'evenkeel dev',
      generate: 'evenkeel generate',
      build: 'evenkeel generate && tsc && evenkeel build',
      deploy: 'evenkeel deploy',
      start: 'node --enable-source-maps dist/operator.mjs',
      // Not in "pretest", which yarn does not run.
      test: 'evenkeel generate && tsc && node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js',
    },
    dependencies: {
      'class-transformer': toolVersions['class-transformer'],
      'class-validator': toolVersions['class-validator'],
      evenkeel: own,
      inversify: toolVersions.inversify,
      'reflect-metadata': toolVersions['reflect-metadata'],
    },
    devDependencies: {
      '@evenkeel/cli': own,
      '@evenkeel/schema': own,
      '@evenkeel/testing': own,
      // The tests import it, and only npm and yarn let them import what Jest has installed.
      '@jest/globals': toolVersions.jest,
      '@swc/core': toolVersions['@swc/core'],
      '@swc/jest': toolVersions['@swc/jest'],
      '@types/node': toolVersions['@types/node'],
      jest: toolVersions.jest,
      typescript: toolVersions.typescript,
    },
    jest: {
      testMatch: ['**/src/**/*.test.ts'],
      extensionsToTreatAsEsm: ['.ts'],
      testTimeout: 30_000,
      // TypeScript lets an import name the compiled file.
      moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'] },
      transform: {
        '\\.ts$': [
          '@swc/jest',
          {
            jsc: {
              parser: { syntax: 'typescript', decorators: true },
              transform: { legacyDecorator: true, decoratorMetadata: true },
              target: 'es2023',
            },
          },
        ],
      },
    },
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

const compilerOptions = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    isolatedModules: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
  },
  include: ['src', 'evenkeel.config.ts'],
};

function configuration({ kinds }: ProjectPlan): string {
  const list = (paths: readonly string[]): string => paths.map((path) => `'${path}'`).join(', ');
  return `import { defineConfig } from '@evenkeel/cli/config';

export default defineConfig({
  apis: [${list(kinds.map((kind) => `./src/${fileNameOf(kind)}.ts`))}],
  operator: './src/operator.ts',
  fields: './src/fields.ts',
  samples: [${list(kinds.map((kind) => `./samples/${fileNameOf(kind)}.yaml`))}],
});
`;
}

function operatorModule(plan: ProjectPlan): string {
  const names = plan.kinds.map((kind) => controllerNameOf(kind, plan));
  const imports = plan.kinds.map(
    (kind, index) => `import { ${names[index]} } from './${fileNameOf(kind)}.controller.ts';\n`,
  );
  return `import { defineOperator } from 'evenkeel';
${imports.sort().join('')}
export const operator = defineOperator({
  name: '${plan.name}',
  controllers: [${names.join(', ')}],
});
`;
}

const mainModule = `import { Manager } from 'evenkeel';
import { fields } from './fields.ts';
import { operator } from './operator.ts';

await Manager.run(operator, { fields });
`;

function readme(plan: ProjectPlan): string {
  const [kind = ''] = plan.kinds;
  const run = (script: string): string => scriptCommand(plan.runningManager, script).padEnd(16);
  return `# ${plan.name}

A Kubernetes operator for ${plan.kinds.map((each) => `\`${resourceNameOf(each, plan)}\``).join(', ')}, written with Evenkeel.

\`\`\`sh
${run('dev')} # the operator with its samples, on an embedded API server
${run('test')} # types and tests
${run('build')} # one file: dist/operator.mjs
${run('start')} # runs that file, with kubectl's current cluster; apply config/crd first
\`\`\`

| file | content |
|---|---|
| src/${fileNameOf(kind)}.ts | the API: its fields, their limits and defaults |
| src/${fileNameOf(kind)}.controller.ts | the controller |
| src/operator.ts | the parts of the operator |
| samples | objects that \`${run('dev').trim()}\` applies |

\`evenkeel generate\` writes src/fields.ts, and everything for a cluster to config. Do not edit these files.${plan.areGeneratedCommitted ? '' : ' Git ignores them.'}
`;
}

function workflow({ areGeneratedCommitted, runningManager }: ProjectPlan): string {
  const commands = [
    ...projectManager(runningManager).frozenInstall,
    ...(areGeneratedCommitted ? ['npx evenkeel generate --check'] : []),
    ...['test', 'build'].map((script) => scriptCommand(runningManager, script)),
  ];
  return `name: test
on: [push, pull_request]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
${runningManager.manager === npm ? '          cache: npm\n' : ''}${commands.map((command) => `      - run: ${command}\n`).join('')}`;
}

function devcontainer({ name, runningManager }: ProjectPlan): string {
  const content = {
    name,
    image: 'mcr.microsoft.com/devcontainers/typescript-node:24',
    features: { 'ghcr.io/devcontainers/features/kubectl-helm-minikube:1': { helm: 'none', minikube: 'none' } },
    postCreateCommand: projectManager(runningManager).frozenInstall.join(' && '),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}
