import { freePorts } from '../../../../../test/free-ports.fixture.ts';
import { Project } from '../../project.fixture.ts';
import { DebuggerClient } from './debugger.fixture.ts';
import { clientOf, controller, files, resource } from './greeting-project.fixture.ts';

describe('evenkeel dev --inspect', () => {
  it('lets a debugger attach to the operator, and to new code at the same port', async () => {
    const [port = 0] = await freePorts(1);
    const project = await Project.create({ ...files, 'src/controller.ts': controller("'stop here'.at(0);") });
    const session = project.session('dev', `--inspect=${port}`);
    try {
      await session.prints(/It runs until Ctrl-C/);
      const client = await clientOf(project);
      const change = (name: string) =>
        client.patch(resource, { name: 'world', namespace: 'default' }, { merge: { spec: { name } } });
      const first = await DebuggerClient.attach(port);
      await first.breakAt('/src/controller.ts', 'stop here');
      await change('first');
      await first.pauses();
      await first.send('Debugger.resume');
      await session.prints(/reconcile +default\/world: Greeting updated/);
      await project.write({ 'src/word.ts': "export const word = 'two';\n" });
      await session.prints(/the new code runs/);
      const second = await DebuggerClient.attach(port);
      await second.breakAt('/src/controller.ts', 'stop here');
      await change('second');
      await second.pauses();
      // An operator that is paused cannot stop, and does not delay the end.
      expect(await session.interrupt()).toBe('SIGINT');
      expect(session.output).toMatch(/stopped +nothing is left running/);
      first.close();
      second.close();
    } finally {
      session.kill();
      await session.exited;
      await project.remove();
    }
  });

  it('rejects an invalid port', async () => {
    const project = await Project.create(files);
    try {
      const { exitCode, output } = await project.process('dev', '--inspect=abc');
      expect(output).toBe('error: --inspect "abc": invalid port; pass a number from 0 to 65535 [invalid-option]\n');
      expect(exitCode).toBe(1);
    } finally {
      await project.remove();
    }
  });
});
