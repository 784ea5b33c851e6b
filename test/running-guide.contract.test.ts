import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { operatorMistakes } from '@evenkeel/runtime';
import { Environment, eventually } from '@evenkeel/testing';
import { type CustomResourceDefinition, type Deployment, defineOperator } from 'evenkeel';
import { parse } from 'yaml';
import { Nginx } from '../examples/nginx/src/nginx.ts';
import { Project } from '../packages/cli/src/project.fixture.ts';
import { freePorts } from './free-ports.fixture.ts';
import { root } from './imports.fixture.ts';
import { hasKubectl } from './kubectl/kubectl-on-path.fixture.ts';
import {
  describeOnEmbeddedServer,
  describeWithRealServer,
  type RealServer,
  startRealServer,
} from './real-server.fixture.ts';

const guide = readFileSync(join(root, 'docs/running.md'), 'utf8');
const fileOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const blockAfter = (start: string): string => {
  const [, block = ''] = guide.slice(guide.indexOf(start)).match(/^```\w+[^\n]*\n(.*?)^```$/ms) ?? [];
  return block;
};

/** Returns the block of the page with this path. */
const blockOf = (path: string): string => guide.split(` ${path}\n`)[1]?.split('```')[0] ?? '';

const main = join(root, 'examples/nginx/dist/main.js');
const isBuilt = existsSync(main);
if (!isBuilt) process.stdout.write('skipped: the program of docs/running.md: the example is not built\n');

/** Returns the output without values that differ between runs. */
const masked = (text: string): string[] =>
  text
    .replace(/"20\d\d-[\d-]+T[\d:.]+Z"/g, 'TIME')
    .replace(/127\.0\.0\.1:\d+/g, 'ADDRESS')
    .replace(/(?<=^\w+\{.*\}) \d+$/gm, ' COUNT')
    .split('\n')
    .filter((line) => line !== '');

describeOnEmbeddedServer('the guide to running', () => {
  let environment: Environment;
  let operator: ChildProcess | undefined;
  beforeAll(async () => {
    const definition = parse(fileOf('examples/nginx/config/crd/web.example.com_nginxes.yaml'));
    environment = await Environment.create({ kind: 'embedded', definitions: [definition as CustomResourceDefinition] });
  });
  afterAll(async () => {
    operator?.kill('SIGKILL');
    await environment.close();
  });

  it('lists every option of a declaration', () => {
    const [mistake] = operatorMistakes(defineOperator({ name: 'a', controllers: [], x: 1 } as never));
    const known = /use one of (.*)$/.exec(mistake?.message ?? '')?.[1]?.split(', ') ?? [];
    const [table = ''] = /^\| option of `defineOperator`.*\n(?:\|.*\n)+/m.exec(guide) ?? [];
    const listed = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(listed.toSorted()).toEqual(known.toSorted());
  });

  it('shows the program of the first example', () => {
    for (const path of ['src/operator.ts', 'src/main.ts']) expect(blockOf(path)).toBe(fileOf(`examples/nginx/${path}`));
  });

  (isBuilt ? it : it.skip)('shows its output from start to stop', async () => {
    const [health, metrics] = await freePorts(2);
    const [, command = '', shown = ''] = /^\$ (node .*)\n((?:\{.*\n)*)/m.exec(blockAfter('## Run it')) ?? [];
    const given = command.replace('8081', String(health)).replace('8080', String(metrics)).split(' ').slice(2);
    const env = { PATH: process.env['PATH'], KUBECONFIG: await environment.kubeconfig() };
    operator = spawn(process.execPath, ['--conditions=evenkeel-source', '--no-warnings', main, ...given], { env });
    let output = '';
    operator.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const ended = new Promise((resolve) => operator?.once('close', resolve));
    await environment.client.create(Nginx, { metadata: { name: 'web', namespace: 'default' }, spec: {} } as never);
    const begun = masked(shown).filter((line) => !line.includes('stop'));
    await eventually(() => expect(masked(output)).toEqual(begun), { timeout: '90s' });

    const answers = blockAfter('In another terminal');
    for (const [, url = '', body = ''] of answers.matchAll(/^\$ curl --silent '([^']+)'.*\n((?:(?!\$ ).*\n)*)/gm)) {
      const address = url.replace('8081', String(health)).replace('8080', String(metrics));
      const wanted = masked(body);
      await eventually(
        async () => {
          const got = masked(await (await fetch(`http://${address}`)).text());
          if (url.includes('/metrics')) expect(got).toEqual(expect.arrayContaining(wanted));
          else expect(got).toEqual(wanted);
        },
        { timeout: '90s' },
      );
    }
    operator.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(masked(output)).toEqual(masked(shown));
  });
});

const isPlayed = isBuilt && hasKubectl();
if (isBuilt && !isPlayed) process.stdout.write('skipped: the steps of docs/running.md: no kubectl on PATH\n');

(isPlayed ? describeWithRealServer : describe.skip)('the steps into a cluster', () => {
  let server: RealServer;
  let project: Project;
  let operator: ChildProcess | undefined;
  beforeAll(async () => {
    server = await startRealServer('nodes');
    project = await Project.create({
      'src/operator.ts': blockOf('src/operator.ts'),
      'evenkeel.config.ts': blockOf('evenkeel.config.ts'),
      'src/nginx.ts': fileOf('examples/nginx/src/nginx.ts'),
      'src/nginx.controller.ts': fileOf('examples/nginx/src/nginx.controller.ts'),
    });
  });
  afterAll(async () => {
    operator?.kill('SIGKILL');
    await project?.remove();
    await server?.stop();
  });

  async function kubectl(command: string): Promise<string> {
    const env = { ...process.env, KUBECONFIG: server.kubeconfig };
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { cwd: project.folder, env });
    return stdout;
  }

  async function play(block: string): Promise<void> {
    expect(block).toMatch(/^\$ /);
    for (const [, command = '', shown = ''] of block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      const evenkeel = /^npx evenkeel (.*)$/.exec(command)?.[1];
      const said = evenkeel === undefined ? await kubectl(command) : `${(await project.run(evenkeel)).out}\n`;
      expect({ command, said }).toEqual({ command, said: shown });
    }
  }

  const tokenOf = async (namespace: string, name: string): Promise<string> =>
    (await kubectl(`kubectl create token ${name} --namespace ${namespace}`)).trim();

  it('are accepted by a server, and give the pod the ServiceAccount with the roles', async () => {
    await play(blockAfter('4. Apply the generated files'));
    const pods = 'kubectl get pods --namespace nginx-operator --output jsonpath={.items[*].spec.serviceAccountName}';
    expect(await kubectl(pods)).toBe('nginx-operator');
    // An update by the same command changes nothing that is current.
    expect(
      (await kubectl('kubectl apply -k config')).split('\n').filter((line) => /(?<!unchanged)$/.test(line)),
    ).toEqual(['']);
  });

  it('let the operator work as that ServiceAccount, and let scrapers with the role read its metrics', async () => {
    const [health, metrics] = await freePorts(2);
    const { spec } = parse(await project.read('config/manager/deployment.yaml')) as Deployment;
    const given = spec?.template.spec?.containers[0]?.args ?? [];
    const ports = given.map((argument) => argument.replace('8081', String(health)).replace('8443', String(metrics)));
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name: 'real',
          cluster: {
            server: server.url,
            'certificate-authority-data': Buffer.from(server.caPem).toString('base64'),
          },
        },
      ],
      users: [{ name: 'operator', user: { token: await tokenOf('nginx-operator', 'nginx-operator') } }],
      contexts: [{ name: 'pod', context: { cluster: 'real', user: 'operator' } }],
      'current-context': 'pod',
    };
    await project.write({ kubeconfig: JSON.stringify(kubeconfig) });
    operator = spawn(process.execPath, ['--conditions=evenkeel-source', '--no-warnings', main, ...ports], {
      env: { PATH: process.env['PATH'], KUBECONFIG: join(project.folder, 'kubeconfig') },
    });
    let output = '';
    operator.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const soon = { timeout: '90s' } as const;
    await kubectl(`kubectl apply -f ${join(root, 'examples/nginx/config/samples/nginx.yaml')}`);
    const available = `kubectl get nginx web --output 'jsonpath={.status.conditions[?(@.type=="Available")].status}'`;
    await eventually(async () => expect(await kubectl(available)).toBe('True'), soon);
    const ready = `http://127.0.0.1:${health}/readyz`;
    await eventually(async () => expect((await fetch(ready)).status).toBe(200), soon);

    await kubectl(
      'kubectl create namespace monitoring && kubectl create serviceaccount prometheus --namespace monitoring',
    );
    const scrape = (token?: string): Promise<number> => statusOf(`https://127.0.0.1:${metrics}/metrics`, token);
    expect(await scrape()).toBe(401);
    expect(await scrape(await tokenOf('nginx-operator', 'nginx-operator'))).toBe(403);
    await play(blockAfter('ServiceAccount needs a binding to the generated'));
    const token = await tokenOf('monitoring', 'prometheus');
    // The server's authorizer knows a binding a moment later.
    await eventually(async () => expect(await scrape(token)).toBe(200), soon);
    expect(output).not.toMatch(/forbidden|"level":"(?:warn|error)"/);
  });
});

/** Returns a response over HTTPS with a certificate that the process has created. */
async function statusOf(url: string, token: string | undefined): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const [answer] = await once(get(url, { headers, rejectUnauthorized: false }), 'response');
  const { statusCode = 0 } = (answer as IncomingMessage).resume();
  return statusCode;
}
