import { execFile } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { backdateMs } from '@evenkeel/apimachinery/certificate';
import { ApiServer } from '@evenkeel/apiserver';
import { type Client, createClient } from '@evenkeel/client';
import { type ConcreteClass, resourceOf, SeededRandom } from '@evenkeel/core';
import {
  authoritySecretName,
  type CertificateSource,
  certificateObjects,
  certificateTiming,
  plannedCertificates,
  renewalShare,
} from '@evenkeel/core/certificates';
import { deriveRoles } from '@evenkeel/core/rbac';
import { planWebhooks } from '@evenkeel/core/webhook';
import { EndpointSlice } from '@evenkeel/kinds/discovery/v1';
import { operatorMistakes } from '@evenkeel/runtime';
import { eventually } from '@evenkeel/testing';
import {
  CustomResourceDefinition,
  createManager,
  defineOperator,
  Secret,
  Service,
  ValidatingWebhookConfiguration,
} from 'evenkeel';
import { parse, parseAllDocuments } from 'yaml';
import { Nginx } from '../examples/nginx/src/nginx.ts';
import { managerFiles } from '../packages/cli/src/manifests/manager-files.ts';
import { operatorPods } from '../packages/cli/src/manifests/operator-pods.ts';
import { webhookFiles } from '../packages/cli/src/manifests/webhook-files.ts';
import { certificateCheckMs } from '../packages/runtime/src/http/http-server.ts';
import { runSettings } from '../packages/runtime/src/process/run-settings.ts';
import { passLimit } from '../packages/runtime/src/webhook/certificates/built-in-certificate.ts';
import {
  CertificateCluster,
  secretKey,
} from '../packages/runtime/src/webhook/certificates/certificate-cluster.fixture.ts';
import { targets } from '../packages/runtime/src/webhook/certificates/certificate-world.fixture.ts';
import { operator, shortLived } from './certificates-guide.fixture.ts';
import { root } from './imports.fixture.ts';
import { hasKubectl } from './kubectl/kubectl-on-path.fixture.ts';
import { ownAddress } from './own-address.fixture.ts';
import { commandsIn, expectLines, lines } from './shown-output.fixture.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const guide = read('docs/certificates.md');
const [minute, hour, day] = [60_000, 3_600_000, 24 * 3_600_000];
const namespace = 'default';

/** The cells of the table with a header, or of the one below a heading. */
function tableAfter(start: string): string[][] {
  const at = guide.indexOf(start.startsWith('|') ? start : '\n|', guide.indexOf(start));
  const table = guide.slice(at).trimStart().split('\n\n')[0] ?? '';
  const [, , ...rows] = table.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);
const codes = (text = ''): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const installed: Readonly<Record<string, unknown>> = { Service, ValidatingWebhookConfiguration };
const webhooksOf = () => planWebhooks(operator.webhooks ?? []).plans;

/** The generated objects for the operator with another source of certificates. */
async function generated(
  certificates: CertificateSource,
): Promise<{ name: string; objects: Record<string, unknown>[] }[]> {
  const declared = defineOperator({ ...operator.declaration, webhookServer: { certificates } });
  const { callees, callers } = await webhookFiles(declared, webhooksOf(), namespace);
  return [...callees, ...callers].map(({ name, text }) => ({
    name,
    objects: parseAllDocuments(text ?? '').map((one) => one.toJS()),
  }));
}

describe('the guide to certificates', () => {
  it('shows declarations that are valid', () => {
    const fixture = read('test/certificates-guide.fixture.ts');
    const shown = blocks('ts');
    expect(shown).toHaveLength(2);
    for (const block of shown) expect(fixture).toContain(block);
    for (const one of [operator, shortLived]) expect(operatorMistakes(one)).toEqual([]);
    expect(plannedCertificates(shortLived.webhookServer)).toMatchObject({
      timing: { leafMs: 7 * day, authorityMs: 30 * day },
    });
  });

  it('lists the sources, and their default', () => {
    const sources = tableAfter('| `certificates` |').map(([source = '']) => source);
    expect(sources).toEqual(['`built-in`, the default', '`cert-manager`', '`files`']);
    expect(plannedCertificates().source).toBe('built-in');
    for (const [certificates] of sources.map(codes)) {
      expect(plannedCertificates({ certificates: certificates as CertificateSource }).source).toBe(certificates);
    }
  });

  it('states the times', () => {
    const { authorityMs, leafMs, trustDelayMs, checkMs } = certificateTiming();
    expect(tableAfter('### Rotation').map(([, valid, replaced]) => [valid, replaced])).toEqual([
      [`${authorityMs / day} days`, 'two thirds'],
      [`${leafMs / day} days`, 'two thirds'],
    ]);
    expect(1 - renewalShare).toBeCloseTo(2 / 3, 10);
    expect(guide).toContain(`After they have contained it for ${trustDelayMs / minute} minutes, each replica`);
    expect(guide).toContain(
      `After about ${trustDelayMs / minute} minutes, replicas no longer\nsign with the old authority`,
    );
    expect(guide).toContain('Within a minute, a replica creates what has expired.');
    expect(checkMs).toBe(minute);
    expect(guide).toContain('Both overwrite each other, at most about once a second.');
    expect(passLimit.perSecond).toBe(1);
    expect(guide).toContain(`when the directory changes and every ${certificateCheckMs / 1000} seconds`);
    const skew = `${backdateMs / minute} minutes`;
    expect(guide).toContain(`must agree within ${skew}. Certificates are valid ${skew} before they are issued.`);
    const issued = plannedCertificates({ certificates: 'cert-manager' });
    if (issued.source !== 'cert-manager') throw new Error('not cert-manager');
    expect(guide).toContain(`is valid for ${issued.authorityMs / day / 365} years (\`${issued.authorityMs / day}d\`)`);
  });

  it('states the defaults and the limits of the durations', () => {
    const timing = certificateTiming();
    const [certificate = [], authority = []] = tableAfter('| | default | at least |');
    expect(codes(certificate.join())).toEqual(['certificateDuration', `${timing.leafMs / day}d`, '3m']);
    expect(codes(authority.join()).slice(0, 3)).toEqual(['authorityDuration', `${timing.authorityMs / day}d`, '21m']);
    const least = { certificateDuration: '3m', authorityDuration: '21m' } as const;
    expect(() => plannedCertificates(least)).not.toThrow();
    expect(() => plannedCertificates({ ...least, certificateDuration: '179s' })).toThrow('use at least 180s');
    expect(() => plannedCertificates({ ...least, authorityDuration: '1259s' })).toThrow('use at least 1260s');
    expect(guide).toContain('`authorityDuration` is at most `3650d`.');
    for (const certificates of ['built-in', 'cert-manager'] as const) {
      expect(() => plannedCertificates({ certificates, authorityDuration: '3650d' })).not.toThrow();
      expect(() => plannedCertificates({ certificates, authorityDuration: '3651d' })).toThrow('use at most 3650d');
    }
    const hours = { certificateDuration: '1h', authorityDuration: '1h' } as const;
    expect(guide).toContain('that too, with at least `1h`');
    expect(() => plannedCertificates({ ...hours, certificates: 'cert-manager' })).not.toThrow();
    expect(() => plannedCertificates({ ...hours, certificates: 'cert-manager', certificateDuration: '59m' })).toThrow();
  });

  it('describes the Secret, and the log lines of a rotation', async () => {
    const timing = { authorityDuration: '3h', certificateDuration: '1h', checkInterval: '10m' } as const;
    const cluster = await CertificateCluster.create(new SeededRandom(1), timing, 4 * minute);
    try {
      for (const target of targets) await cluster.apply(target);
      for (const _ of [1, 2]) await cluster.start();
      await cluster.clock.advance(4 * hour + 10 * minute);
      const logged = new Set(cluster.lines.map((line) => /^\S+ \d+ (.*?)(?: \{.*)?$/.exec(line)?.[1]));
      const [, list = ''] = /^Each step has a log line: (.*?)\.$/ms.exec(guide) ?? [];
      expect(codes(list).toSorted()).toEqual([...logged].sort());

      const { type, data = {} } = await cluster.client.get(Secret, secretKey);
      const cells = Object.fromEntries(tableAfter('### The Secret').map(([key = '', value]) => [key, value]));
      expect(Object.keys(cells)).toEqual(['`type`', ...Object.keys(data).map((key) => `\`data["${key}"]\``)]);
      expect(cells['`type`']).toBe(`\`${type}\``);
      expect(guide).toContain(`stores it in the Secret \`${authoritySecretName('NAME')}\``);
      expect(secretKey.name).toBe(authoritySecretName('nginx'));
      for (const target of targets) expect(new Set(await cluster.bundlesOf(target))).toEqual(new Set([data['ca.crt']]));
      const pem = (key: string) => Buffer.from(data[key] ?? '', 'base64').toString();
      const [newest = '', ...older] = pem('ca.crt').split(/(?<=-----END CERTIFICATE-----\n)/);
      expect(older).not.toEqual([]);
      expect(pem('ca.key')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
      expect(new X509Certificate(newest).checkPrivateKey(createPrivateKey(pem('ca.key')))).toBe(true);
    } finally {
      await cluster.close();
    }
  });

  it('lists the permissions', () => {
    const certificates = certificateObjects({
      name: operator.name,
      namespace,
      webhooks: [{ type: 'mutating' }, { type: 'validating' }],
      conversions: [resourceOf(Nginx)],
    });
    const derived = deriveRoles({ plans: [], certificates }).flatMap(({ rules }) =>
      rules.map((rule) => {
        if ('path' in rule) throw new Error('a path');
        const objects = rule.names.length === 0 ? '`secrets`' : 'the configurations and CRDs of these names';
        const on = rule.resource === 'secrets' && rule.names.length > 0 ? 'the Secret of that name' : objects;
        return `${on}: ${rule.verbs.join(', ')}`;
      }),
    );
    const listed = tableAfter('### Permissions').map(([on = '', verbs]) => {
      return `${on.replace(" in the operator's namespace", '')}: ${codes(verbs).join(', ')}`;
    });
    expect(listed.toSorted()).toEqual([...new Set(derived)].sort());
  });

  it("describes cert-manager's objects, and a Deployment with their Secret", async () => {
    const files = await generated('cert-manager');
    const issued = files.find(({ name }) => guide.includes(`\`config/${name}\``))?.objects ?? [];
    const kinds = issued.map(({ kind }) => kind);
    expect(kinds).toEqual(['Issuer', 'Certificate', 'Issuer', 'Certificate']);
    const declared = defineOperator({ ...operator.declaration, webhookServer: { certificates: 'cert-manager' } });
    const pods = operatorPods(declared, webhooksOf(), {}, { namespace, folder: root });
    const [deployment] = (await managerFiles(pods)).map(({ text = '' }) => parse(text));
    const { volumes, containers } = deployment.spec.template.spec;
    const [volume] = volumes as [{ name: string; secret: { secretName: string } }];
    const { spec } = issued.at(-1) as { spec: { secretName: string } };
    expect(volume.secret.secretName).toBe(spec.secretName);
    const [{ volumeMounts }] = containers as [{ volumeMounts: { name: string; mountPath: string }[] }];
    const setting = runSettings.find(({ name }) => name === 'webhook.certificates');
    expect(volumeMounts).toMatchObject([{ name: volume.name, mountPath: setting?.default }]);
    expect(guide).toContain(`the directory \`${setting?.name}\`, by default\n\`${setting?.default}\``);
    expect(JSON.stringify(files)).toContain('"cert-manager.io/inject-ca-from":"default/nginx-operator-webhook"');
  });
});

const isPlayed = hasKubectl();
if (!isPlayed) process.stdout.write('skipped: the certificates of docs/certificates.md: no kubectl on PATH\n');

(isPlayed ? describe : describe.skip)('the files of the guide to certificates', () => {
  let folder: string;
  let server: ApiServer;
  let client: Client;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'evenkeel-certificates-guide-'));
    server = await ApiServer.create({ controllers: false });
    await server.listen();
    await server.writeKubeconfig(join(folder, 'kubeconfig'));
    client = createClient(server.transport());
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  it('are accepted by the API server when it calls the webhook', async () => {
    await client.create(
      CustomResourceDefinition,
      parse(read('examples/nginx/config/crd/web.example.com_nginxes.yaml')),
    );
    const files = await generated('files');
    for (const object of files.flatMap(({ objects }) => objects)) {
      await client.create(installed[String(object['kind'])] as typeof Service, object as never);
    }
    const [block = ''] = blocks('console');
    const env = { ...process.env, KUBECONFIG: join(folder, 'kubeconfig') };
    for (const { command, output } of commandsIn(block)) {
      const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `(${command}) 2>&1`], { cwd: folder, env });
      expectLines(command, lines(stdout), lines(output));
    }
    const { data = {} } = await client.get(Secret, `${namespace}/nginx-operator-webhook-tls`);
    expect(Object.keys(data).sort()).toEqual(['tls.crt', 'tls.key']);

    const manager = await createManager({
      ...{ name: operator.name, controllers: [], webhooks: operator.webhooks as readonly ConcreteClass[] },
      ...{ webhookServer: { certificates: 'files' }, transport: server.transport() },
      webhook: { address: `${ownAddress()}:0`, certificates: folder, stopDelay: '0s' },
    });
    await manager.start();
    try {
      const name = 'nginx-operator-webhook';
      await client.create(EndpointSlice, {
        metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
        addressType: 'IPv4',
        endpoints: [{ addresses: [ownAddress()], conditions: { ready: true } }],
        ports: [{ name: 'webhook', port: Number(manager.addresses.webhook?.split(':').at(-1)), protocol: 'TCP' }],
      });
      const create = (nginx: string) =>
        client.create(Nginx, { metadata: { name: nginx, namespace }, spec: {} } as never, { dryRun: true });
      await eventually(() => expect(create('forbidden')).rejects.toThrow('metadata.name: Forbidden: is reserved'));
      await create('allowed');
    } finally {
      await manager.stop();
    }
  });
});
