import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { eventually } from '@evenkeel/testing';
import { freePorts } from '../../../../test/free-ports.fixture.ts';
import { command } from '../command.fixture.ts';
import { writeBaseLayout } from './node-base.fixture.ts';

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const hasRegistry = isInstalled('docker-registry');
const hasSkopeo = isInstalled('skopeo');
if (!hasRegistry) console.log('skipped: docker-registry is not installed (apt-get install docker-registry)');
if (!hasSkopeo) console.log('skipped: skopeo is not installed, so it does not check what was pushed');

(hasRegistry ? describe : describe.skip)("Debian's docker-registry with TLS and a password", () => {
  let folder: string;
  let host: string;
  let stop: () => Promise<void>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-docker-registry-'));
    const [port] = await freePorts(1);
    host = `localhost:${port}`;
    const authority = new CertificateAuthority('registry', Date.now());
    const hosts = ['localhost', '127.0.0.1'];
    const { certificatePem, privateKeyPem } = authority.issue({ commonName: 'registry', usage: 'server', hosts });
    const tls = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
    const files = {
      'ca.crt': authority.certificatePem,
      'other.crt': new CertificateAuthority('other', Date.now()).certificatePem,
      'tls.crt': certificatePem,
      'tls.key': privateKeyPem,
      // The password "secret", as "htpasswd -nbB user secret" prints it.
      htpasswd: 'user:$2y$05$5qjAvhES7kBPW007LDTS.uCx4.2z1GYYlaf9Xlj4y0y4Y2PIVA6je\n',
      'right/config.json': loginOf('secret'),
      'wrong/config.json': loginOf('other'),
      'project/package.json': '{"name":"sites","version":"1.0.0","type":"module"}',
      'project/src/main.ts': 'console.log("started");\n',
      'config.yml': JSON.stringify({
        version: 0.1,
        log: { level: 'error' },
        storage: { filesystem: { rootdirectory: join(folder, 'storage') } },
        http: { addr: `127.0.0.1:${port}`, tls },
        auth: { htpasswd: { realm: 'registry', path: join(folder, 'htpasswd') } },
      }),
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(folder, name, '..'), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    await writeBaseLayout(join(folder, 'base'), { architectures: ['amd64', 'arm64'] });
    const registry = spawn('docker-registry', ['serve', join(folder, 'config.yml')], { stdio: 'ignore' });
    const ended = once(registry, 'exit');
    stop = async () => {
      registry.kill();
      await ended;
    };
    // Before it listens, the connection is refused.
    await eventually(async () => {
      await fetch(`https://127.0.0.1:${port}/v2/`).catch((error: { cause?: { code?: string } }) => {
        if (error.cause?.code === 'ECONNREFUSED') throw new Error('docker-registry does not listen yet');
      });
    });
  });
  afterAll(async () => {
    await stop?.();
    await rm(folder, { recursive: true, force: true });
  });

  function loginOf(password: string): string {
    return JSON.stringify({ auths: { [host]: { auth: Buffer.from(`user:${password}`).toString('base64') } } });
  }

  /** Runs the command as a user who logged in with one of the passwords. */
  function build(login: string, options: readonly string[], ca = 'ca.crt') {
    const commandLine = [...command, 'build', ...options, '--registry-ca', join(folder, ca)];
    const { status, stdout, stderr } = spawnSync(process.execPath, commandLine, {
      cwd: join(folder, 'project'),
      env: { PATH: process.env['PATH'], HOME: folder, NO_COLOR: '1', DOCKER_CONFIG: join(folder, login) },
      encoding: 'utf8',
    });
    return { status, output: `${stdout}${stderr}` };
  }

  const push = () => ['--base', `oci:${join(folder, 'base')}`, '--image', `${host}/team/sites:1.0`, '--push'];

  it('stores an image, which is the same when it is pulled', async () => {
    const image = `${host}/team/sites:1.0`;
    const pushed = build('right', [...push(), '--platform', 'linux/amd64,linux/arm64']);
    expect(pushed).toEqual({ status: 0, output: expect.stringContaining(`${image} pushed: sha256:`) });
    expect(pushed.output).not.toContain('secret');
    const digest = /pushed: (sha256:\w+)/.exec(pushed.output)?.[1] ?? '';
    const options = [
      '--base',
      `${image}@${digest}`,
      '--image',
      'other:1',
      '--output',
      'json',
      '--platform',
      'linux/arm64',
    ];
    expect(JSON.parse(build('right', options).output)).toMatchObject({ ok: true, image: { base: { digest } } });
    if (!hasSkopeo) return;
    await mkdir(join(folder, 'certificates'), { recursive: true });
    await writeFile(join(folder, 'certificates/ca.crt'), await readFile(join(folder, 'ca.crt')));
    const source = ['--src-cert-dir', join(folder, 'certificates'), '--src-creds', 'user:secret'];
    const copy = ['copy', '--all', '--preserve-digests', ...source, `docker://${image}`, `oci:${folder}/pulled:1.0`];
    execFileSync('skopeo', copy, { stdio: 'pipe' });
    const index = JSON.parse(await readFile(join(folder, 'pulled/index.json'), 'utf8'));
    expect(index.manifests).toEqual([expect.objectContaining({ digest })]);
    const archive = `docker-archive:${join(folder, 'project/dist/image.tar')}`;
    const config = execFileSync('skopeo', ['inspect', '--config', archive]);
    expect(JSON.parse(String(config))).toMatchObject({ architecture: 'arm64', config: { User: '65532:65532' } });
  });

  it.each([
    [
      'a wrong password',
      'wrong',
      push,
      'ca.crt',
      /with 401; log in with "docker login localhost:\d+" \[registry-unauthorized\]\n$/,
    ],
    ['no login', 'none', push, 'ca.crt', /requires a user and a password; log in with .* \[registry-unauthorized\]\n$/],
    [
      'an unknown tag',
      'right',
      () => ['--base', `${host}/team/sites:2.0`, '--image', 'a:1'],
      'ca.crt',
      /manifest unknown.*; correct the name or the tag \[image-not-found\]\n$/,
    ],
    [
      'an unknown certificate',
      'right',
      push,
      'other.crt',
      /cannot trust the certificate of .* \[registry-untrusted\]\n$/,
    ],
  ])('reports %s', (_what, login, options, ca, message) => {
    const { status, output } = build(login, [...options(), '--platform', 'linux/amd64'], ca);
    expect(output).toMatch(message);
    expect(status).toBe(1);
  });
});
