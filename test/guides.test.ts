import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Project } from '../packages/cli/src/project.fixture.ts';
import { Guide } from './guide.fixture.ts';
import { root } from './imports.fixture.ts';
import { hasKubectl } from './kubectl/kubectl-on-path.fixture.ts';

const guides = [
  'declare-an-api.md',
  'reconcile.md',
  'own-children.md',
  'watch-others.md',
  'migrate.md',
  'deploy.md',
  'webhooks.md',
  'coming-from-kubebuilder.md',
  'coming-from-josdk.md',
  'coming-from-kopf.md',
];

const isBuilt = existsSync(join(root, 'packages/evenkeel/dist/index.d.ts'));
if (!isBuilt) process.stdout.write('skipped: compiling the guides: the packages are not built\n');
const isShown = hasKubectl();
if (!isShown) process.stdout.write('skipped: the steps of the guides: no kubectl on PATH\n');

(isBuilt ? describe : describe.skip)('the code of the guides', () => {
  it('compiles', async () => {
    const files = guides.flatMap((page) =>
      Object.entries(new Guide(page).files).map(([path, text]) => [`${page}/${path}`, text] as const),
    );
    const project = await Project.create({
      ...Object.fromEntries(files),
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          target: 'es2022',
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
        include: ['*/src', '*/evenkeel.config.ts'],
      }),
    });
    try {
      project.compile();
    } finally {
      await project.remove();
    }
  });
});

describe('the declarations of', () => {
  it.each(guides)('docs/%s have no notices from evenkeel generate', async (page) => {
    const project = await Project.create(new Guide(page).files);
    try {
      expect(await project.run('generate')).toMatchObject({ exitCode: 0, err: '' });
    } finally {
      await project.remove();
    }
  });
});

(isShown ? describe : describe.skip)('the output in', () => {
  it.each(guides)('docs/%s shows what really happens', async (page) => {
    const guide = new Guide(page);
    try {
      await guide.play();
    } finally {
      await guide.close();
    }
  });
});
