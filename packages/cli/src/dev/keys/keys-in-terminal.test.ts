import { statSync } from 'node:fs';
import { join } from 'node:path';
import { hasPseudoTerminal, startInTerminal } from '../../../../../test/pseudo-terminal.fixture.ts';
import { command } from '../../command.fixture.ts';
import { Project } from '../../project.fixture.ts';
import { controller, files } from '../reload/greeting-project.fixture.ts';

const limitMs = 60_000;

if (!hasPseudoTerminal()) console.log('skipped: no python3, which opens a pseudo-terminal');

(hasPseudoTerminal() ? describe : describe.skip)('the keys of evenkeel dev', () => {
  it('list themselves, dump the server, reset it after a confirmation, reload and quit', async () => {
    const project = await Project.create(files);
    const line = `cd '${project.folder}' && exec '${process.execPath}' ${command.join(' ')} dev`;
    const terminal = startInTerminal('sh', ['-c', line]);
    try {
      await terminal.waitFor(/Press h for the keys\. In another terminal/, limitMs);
      const port = /127\.0\.0\.1:(\d+)/.exec(terminal.screen)?.[1];
      terminal.type('h');
      await terminal.waitFor(/ {2}q {2}quit/, limitMs);
      terminal.type('d');
      await terminal.waitFor(/\d+ objects in \.evenkeel\/dump\.yaml/, limitMs);
      expect(await project.read('.evenkeel/dump.yaml')).toContain('kind: Greeting');
      expect(statSync(join(project.folder, '.evenkeel/dump.yaml')).mode & 0o777).toBe(0o600);
      terminal.type('x');
      await terminal.waitFor(/Delete all objects of the embedded server\? Press x again to confirm\./, limitMs);
      terminal.type('x');
      await terminal.waitFor(/reset; the new code runs/, limitMs);
      await terminal.waitFor(/reset; [\s\S]*applied Greeting default\/world[\s\S]*Greeting added/, limitMs);
      expect(terminal.screen.split(`listening on https://127.0.0.1:${port}`)).toHaveLength(3);
      terminal.type('r');
      await terminal.waitFor(/requested; the new code runs/, limitMs);
      await project.write({ 'src/controller.ts': controller('// edited') });
      await terminal.waitFor(/controller\.ts changed; the new code runs/, limitMs);
      terminal.type('q');
      expect(await terminal.exited).toBe(0);
      expect(terminal.screen).toContain('nothing is left running');
    } finally {
      terminal.kill();
      await project.remove();
    }
  });

  it('leave Ctrl-C as it is', async () => {
    const project = await Project.create(files);
    const line = `cd '${project.folder}' && exec '${process.execPath}' ${command.join(' ')} dev`;
    const terminal = startInTerminal('sh', ['-c', line]);
    try {
      await terminal.waitFor(/Press h for the keys/, limitMs);
      terminal.type('\x03');
      expect(await terminal.exited).toBe(130);
      expect(terminal.screen).toContain('nothing is left running');
    } finally {
      terminal.kill();
      await project.remove();
    }
  });
});
