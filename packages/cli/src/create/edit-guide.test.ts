import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../test/imports.fixture.ts';
import { commandsIn } from '../../../../test/shown-output.fixture.ts';
import { run } from '../run.ts';
import { projectFiles } from '../scaffold/project-files.ts';
import { planProject } from '../scaffold/project-plan.ts';
import { createTerminal } from '../terminal.ts';
import { commit, repositoryOf } from './created-project.fixture.ts';

const page = readFileSync(join(root, 'docs/create.md'), 'utf8');
const blocks = [...page.matchAll(/^```console\n(.*?)^```/gms)].map(([, block = '']) => block);

describe('the guide to created parts', () => {
  it('shows the output of its commands', async () => {
    const plan = planProject({ folder: 'cache-operator', kinds: 'Memcached', group: 'cache.example.com' }, '/');
    const project = await repositoryOf(projectFiles(plan));
    try {
      const commands = blocks.flatMap((block) => commandsIn(block));
      expect(commands.map(({ command }) => command.split(' ').slice(1, 4).join(' '))).toEqual([
        'evenkeel create api',
        'evenkeel create version',
        'evenkeel delete api',
      ]);
      for (const { command, output } of commands) {
        const lines: string[] = [];
        const print = (line: string): number => lines.push(line);
        const terminal = createTerminal({ folder: project.folder, out: print, err: print });
        const exitCode = await run(command.split(' ').slice(2), terminal);
        expect({ exitCode, output: `${lines.join('\n')}\n` }).toEqual({ exitCode: 0, output });
        commit(project);
      }
    } finally {
      await project.remove();
    }
  });
});
