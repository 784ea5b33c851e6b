import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { Project } from '../packages/cli/src/project.fixture.ts';
import { Guide } from './guide.fixture.ts';
import { root } from './imports.fixture.ts';
import { hasKubectl } from './kubectl/kubectl-on-path.fixture.ts';

jest.setTimeout(90_000);

/** Each with the path of its first block, where the page does not give it. */
const guides: readonly [page: string, first: string][] = [
  ['declare-an-api.md', ''],
  ['reconcile.md', 'src/site.ts'],
  ['own-children.md', ''],
  ['watch-others.md', ''],
];

const isBuilt = existsSync(join(root, 'packages/evenkeel/dist/index.d.ts'));
if (!isBuilt) process.stdout.write('skipped: compiling the guides: nothing is built to compile against\n');
const isShown = hasKubectl();
if (!isShown) process.stdout.write('skipped: what the guides show: no kubectl on PATH\n');

(isBuilt ? describe : describe.skip)('the code of the guides', () => {
  it('compiles', async () => {
    const files = guides.flatMap(([page, first]) =>
      Object.entries(new Guide(page, first).files).map(([path, text]) => [`${page}/${path}`, text] as const),
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

(isShown ? describe : describe.skip)('what is seen in', () => {
  it.each(guides)('docs/%s is what it says', async (page, first) => {
    const guide = new Guide(page, first);
    try {
      await guide.play();
    } finally {
      await guide.close();
    }
  });
});
