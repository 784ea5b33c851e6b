import { Environment } from '@evenkeel/testing';
import { Project } from '../../project.fixture.ts';
import { controller, files } from './greeting-project.fixture.ts';

describe('evenkeel dev --kubeconfig', () => {
  it('loads changed code only with --watch', async () => {
    await using cluster = await Environment.create({ variables: {} });
    const project = await Project.create(files);
    const kubeconfig = await cluster.kubeconfig();
    const fixed = project.session('dev', '--kubeconfig', kubeconfig);
    try {
      await fixed.prints(/It runs until Ctrl-C\. After a change of your code, restart it\./);
      await fixed.interrupt();
      const watching = project.session('dev', '--kubeconfig', kubeconfig, '--watch');
      await watching.prints(/It runs until Ctrl-C, and loads your code again/);
      await project.write({ 'src/controller.ts': controller("context.logger.info('changed')") });
      await watching.prints(/reload +src\/controller\.ts changed; the new code runs/);
      await watching.prints(/info +default\/world: changed/);
      await watching.interrupt();
      expect(watching.output).toMatch(/stopped +the CRDs and samples stay on the cluster\n$/);
      expect(fixed.output).not.toContain('reload ');
    } finally {
      fixed.kill();
      await project.remove();
    }
  });
});
