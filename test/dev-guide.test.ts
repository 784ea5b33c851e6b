import { Project } from '../packages/cli/src/project.fixture.ts';
import { Guide } from './guide.fixture.ts';

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    allowImportingTsExtensions: true,
  },
  include: ['src', '*.config.ts'],
};

describe('the guide to evenkeel dev', () => {
  it('shows a configuration that runs the operator of the guide to injection with a fake service', async () => {
    const { 'src/site.ts': site = '' } = new Guide('inject.md').files;
    const project = await Project.create({
      'src/site.ts': site,
      ...new Guide('dev.md').files,
      'evenkeel.config.ts': `
import { defineConfig } from '@evenkeel/cli/config';
export default defineConfig({ apis: ['./src/site.ts'], operator: './src/operator.ts', samples: ['./sample.yaml'] });
`,
      'sample.yaml':
        'apiVersion: docs.example.com/v1\nkind: Site\nmetadata: { name: blog }\nspec: { host: blog.test }\n',
      'tsconfig.json': JSON.stringify(tsconfig),
    });
    try {
      const { exitCode, output } = await project.process(
        ...['dev', '--once', '--config', 'evenkeel.dev.config.ts'],
        ...['--audit-log-path', 'audit.log', '--audit-policy-file', 'audit-policy.yaml'],
      );
      expect(output).toMatch(/reconcile +default\/blog: Site added -> wrote status /);
      // The real service, https://dns.example.com, does not exist.
      expect(exitCode).toBe(0);
      project.compile();
      const events = (await project.read('audit.log')).trimEnd().split('\n');
      const status = events
        .map((line) => JSON.parse(line))
        .filter(({ requestURI }) => /sites\/blog\/status/.test(requestURI));
      expect(status[0]).toMatchObject({
        level: 'RequestResponse',
        stage: 'ResponseComplete',
        verb: 'patch',
        user: { username: 'admin' },
        requestObject: { status: expect.anything() },
        responseStatus: { code: 200 },
      });
      expect(events.join()).not.toMatch(/"managedFields"|"verb":"(?:get|list|watch)"/);
    } finally {
      await project.remove();
    }
  });
});
