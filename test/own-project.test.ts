import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@evenkeel/testing';
import { ConfigMap, CustomResourceDefinition } from 'evenkeel';
import { parse, parseAllDocuments } from 'yaml';
import { Project } from '../packages/cli/src/project.fixture.ts';
import { root } from './imports.fixture.ts';
import { withOperatorProcess } from './operator-process.fixture.ts';

const page = readFileSync(join(root, 'docs/own-project.md'), 'utf8');
const files = Object.fromEntries(
  [...page.matchAll(/^```\w+ (\S+)\n(.*?)^```$/gms)].map(([, name = '', text = '']) => [name, text]),
);

// The declarations of the packages exist only after a build; the running code is their TypeScript.
const isBuilt = existsSync(join(root, 'packages/evenkeel/dist/index.d.ts'));
if (!isBuilt) console.log('skipped: the packages are not built, so nothing can be compiled against them');
const fromSource = '--conditions=evenkeel-source';
const crd = 'config/crd/hello.example.com_greetings.yaml';

describe('the tests in the pages', () => {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  const tests = pages.flatMap((name) => {
    const blocks = readFileSync(join(root, 'docs', name), 'utf8').matchAll(/^```ts[^\n]*\n(.*?)^```$/gms);
    return [...blocks].flatMap(([, text = '']) =>
      /^it\(/m.test(text) && /^import /m.test(text) ? [{ name, text }] : [],
    );
  });

  it('import what they use from jest or vitest, because the project has no types of their globals', () => {
    const names = new Set(tests.map(({ name }) => name));
    expect([...names]).toEqual(
      expect.arrayContaining([
        'declare-an-api.md',
        'own-project.md',
        'rbac.md',
        'testing.md',
        'validation.md',
        'vitest.md',
      ]),
    );
    const known =
      /(?<![.\w])(afterAll|afterEach|beforeAll|beforeEach|describe|expect|it|jest|onTestFinished|test|vi)[.(]/g;
    const used = tests.map(({ name, text }) => ({
      name,
      of: [...new Set([...text.matchAll(known)].map(([, of]) => of))],
    }));
    const imported = tests.map(({ name, text }) => ({
      name,
      of: /^import \{ (.*) \} from '(?:@jest\/globals|vitest)';$/m.exec(text)?.[1]?.split(', ') ?? [],
    }));
    const sorted = (all: typeof imported) => all.map(({ name, of }) => ({ name, of: of.toSorted() }));
    expect(sorted(imported)).toEqual(sorted(used as typeof imported));
  });
});

(isBuilt ? describe : describe.skip)('the project of docs/own-project.md', () => {
  let project: Project;

  beforeAll(async () => {
    project = await Project.create(files);
  });
  afterAll(() => project.remove());

  /** Runs a program on an embedded server, and checks that it does what the sample declares. */
  async function reconciles(program: readonly string[], cwd: string): Promise<void> {
    const definition = parse(await project.read(crd)) as CustomResourceDefinition;
    const { kind, metadata, spec } = parse(await project.read('config/samples/greeting.yaml'));
    const exitCode = await withOperatorProcess(program, cwd, [definition], async (client) => {
      const resource = { group: 'hello.example.com', version: 'v1', kind, plural: 'greetings', namespaced: true };
      await client.create(resource, { metadata: { ...metadata, namespace: 'default' }, spec });
      const map = await eventually(() => client.get(ConfigMap, 'default/world'), { timeout: '90s' });
      expect(map.data).toEqual({ text: 'Hello, World!' });
    });
    expect(exitCode).toBe(0);
  }

  it('has every file in the page, and existing dependencies', () => {
    expect(Object.keys(files)).toEqual([
      'package.json',
      'tsconfig.json',
      'evenkeel.config.ts',
      'src/greeting.ts',
      'src/greeting.controller.ts',
      'src/operator.ts',
      'src/main.ts',
      'config/samples/greeting.yaml',
      'Dockerfile',
      'Dockerfile.bundle',
      'jest.config.js',
      'tsconfig.test.json',
      'src/greeting.test.ts',
      'src/greeting.controller.test.ts',
    ]);
    const { dependencies, devDependencies } = JSON.parse(files['package.json'] ?? '') as Record<string, object>;
    const names = Object.keys({ ...dependencies, ...devDependencies });
    expect(names.filter((name) => !existsSync(join(root, 'node_modules', name)))).toEqual([]);
    const { peerDependencies } = JSON.parse(readFileSync(join(root, 'packages/evenkeel/package.json'), 'utf8'));
    expect(dependencies).toMatchObject(peerDependencies);
  });

  it('is generated, compiled, and reconciles', async () => {
    const { exitCode, out, err } = await project.run('generate');
    const others = [
      'config/kustomization.yaml',
      'config/manager/deployment.yaml',
      'config/manager/namespace.yaml',
      'config/rbac/role.yaml',
      'config/rbac/service_account.yaml',
      'config/rbac/user_roles.yaml',
      'config/samples/generated/hello.example.com_v1_greeting.yaml',
      'config/schema/hello.example.com_v1_greeting.json',
      'src/fields.ts',
    ];
    expect({ exitCode, err, out: out.split('\n') }).toEqual({
      exitCode: 0,
      err: '',
      out: [crd, ...others].map((file) => `${file} written`),
    });
    project.compile();
    project.compile('tsconfig.test.json');
    await reconciles([fromSource, '--enable-source-maps', 'dist/main.js'], project.folder);
  });

  it('lists the permissions of its role', async () => {
    const [role] = parseAllDocuments(await project.read('config/rbac/role.yaml')).map((document) => document.toJS());
    const { rules } = role as { readonly rules: readonly { readonly resources: string[]; readonly verbs: string[] }[] };
    const [, said = ''] = /Its role lets it (.*?)\./s.exec(page) ?? [];
    const words = (text: string): string[] => text.split(/[\s,]+|\band\b/).filter((word) => word !== '');
    const granted = rules.flatMap(({ verbs, resources }) => [...verbs, ...resources]);
    expect(words(said).toSorted()).toEqual(granted.toSorted());
    for (const { verbs, resources } of rules)
      expect(words(said).join(' ')).toContain([...verbs, ...resources].join(' '));
  });

  it('pauses on a cluster whose CRD lacks a field of its classes, names the field, and continues when the CRD is applied', async () => {
    const definition = parse(await project.read(crd)) as CustomResourceDefinition;
    const older = JSON.parse(JSON.stringify(definition), (name, value) => (name === 'language' ? undefined : value));
    const program = [fromSource, 'dist/main.js'];
    const exitCode = await withOperatorProcess(program, project.folder, [older], async (client, log) => {
      const soon = { timeout: '90s' } as const;
      await eventually(() => {
        expect(log()).toContain('needs fields of greetings.hello.example.com/v1 for');
        expect(log()).toContain('does not serve: spec.language; apply the CRD that belongs to this version');
      }, soon);
      const resource = {
        group: 'hello.example.com',
        version: 'v1',
        kind: 'Greeting',
        plural: 'greetings',
        namespaced: true,
      };
      await client.apply(CustomResourceDefinition, definition, { force: true });
      await eventually(() => expect(log()).toContain('all fields are served'), soon);
      const metadata = { name: 'world', namespace: 'default' };
      await client.create(resource, { metadata, spec: { name: 'World' } });
      const map = await eventually(() => client.get(ConfigMap, 'default/world'), soon);
      expect(map.data).toEqual({ text: 'Hello, World!' });
    });
    expect(exitCode).toBe(0);
  });

  it('is bundled into one file, which reconciles in an otherwise empty folder', async () => {
    expect(await project.process('build')).toMatchObject({ exitCode: 0 });
    const alone = await mkdtemp(join(tmpdir(), 'evenkeel-one-file-'));
    try {
      await cp(join(project.folder, 'dist/operator.mjs'), join(alone, 'operator.mjs'));
      await reconciles(['operator.mjs'], alone);
    } finally {
      await rm(alone, { recursive: true });
    }
  });

  it('lets a compiled program read its sources, and reports other sources', async () => {
    const program = (file: string): string => `import { readSources, validate } from '@evenkeel/schema';
import { Greeting } from './dist/greeting.js';
const sources = await readSources('${file}');
const { messages } = await validate(Greeting, { spec: { name: 'x', language: 'de' } }, { sources });
console.log(messages.join());`;
    const run = async (file: string) => {
      await project.write({ 'check.mjs': program(file) });
      const options = { cwd: project.folder, encoding: 'utf8' } as const;
      return spawnSync(process.execPath, [fromSource, '--no-warnings', 'check.mjs'], options);
    };
    expect((await run('dist/greeting.js')).stdout).toBe(
      'spec.language: Unsupported value: "de": supported values: "en", "fr"\n',
    );
    expect((await run('src/greeting.ts')).stderr).toMatch(
      /EvenkeelError: readSources: .*src\/greeting\.ts cannot be imported: .*; pass the modules as this program runs them, such as dist\/memcached\.js with its source map/s,
    );
  });

  it('is tested by jest', async () => {
    const conditions = "{ customExportConditions: ['evenkeel-source', 'node', 'import'] }";
    await project.write({
      'jest.here.js': `import config from './jest.config.js';\nexport default { ...config, testEnvironmentOptions: ${conditions} };`,
    });
    const jest = join(root, 'node_modules/jest/bin/jest.js');
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        '--experimental-vm-modules',
        '--no-warnings',
        jest,
        '--config',
        'jest.here.js',
        '--no-cache',
        '--testTimeout=120000',
      ],
      { cwd: project.folder, encoding: 'utf8' },
    );
    expect(stderr).toContain('Tests:       2 passed, 2 total');
    expect(status).toBe(0);
  });
});
