import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../test/imports.fixture.ts';
import { initCommand } from '../commands/init.ts';
import { CommandTerminal } from '../report/command-terminal.ts';
import { createTerminal } from '../terminal.ts';
import { projectFiles } from './project-files.ts';
import { defaultGroup, defaultKind, planProject } from './project-plan.ts';

const page = readFileSync(join(root, 'docs/create.md'), 'utf8');
const plan = planProject({ folder: 'cache-operator', kinds: 'Memcached', group: 'cache.example.com' }, '/');
const files = projectFiles(plan);

/** The code in the first column of the table below a heading, or of the first table. */
function firstColumn(heading: string): string[] {
  const [table = ''] = /(?:^\|.*\n)+/m.exec(page.slice(page.indexOf(heading))) ?? [];
  const rows = table.trim().split('\n').slice(2);
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
}

describe('the guide to new projects', () => {
  it('lists every file', () => {
    expect(firstColumn('## The files').toSorted()).toEqual(Object.keys(files).toSorted());
  });

  it('lists every option, with its default', () => {
    const streams = { folder: '/', out: () => undefined, err: () => undefined };
    const terminal = new CommandTerminal(createTerminal(streams), () => false);
    const options = initCommand(terminal, () => undefined).options.map(({ long }) => long ?? '');
    const shown = firstColumn('| option').map((code) => code.split(' ')[0]);
    expect(shown.toSorted()).toEqual(options.toSorted());
    expect(page).toContain(`default: \`${defaultKind}\``);
    expect(page).toContain(`default: \`${defaultGroup}\``);
  });

  it('lists every command of package.json', () => {
    const { scripts } = JSON.parse(files['package.json'] ?? '') as { scripts: Record<string, string> };
    expect(
      firstColumn('## The commands')
        .map((code) => code.split(' ').at(-1))
        .toSorted(),
    ).toEqual(Object.keys(scripts).toSorted());
  });
});
