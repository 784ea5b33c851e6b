import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { type Benchmark, type Figure, median } from './benchmark.ts';
import { buildGoWebhook } from './go-webhook.ts';
import { node, type Report, reports } from './run-program.ts';
import { type ProgramEvent, RunningProgram } from './running-program.ts';

interface IdleEvent extends ProgramEvent {
  readonly rssMiB: number;
}

/** How often each server is driven, alternately. */
const rounds = 3;
const program = ['--expose-gc', 'bench/programs/serve-webhooks.mjs'];

export const webhookPeer: Benchmark = {
  name: 'webhook-peer',
  goal: 'validating calls and conversions over HTTPS, and the memory of the server, beside controller-runtime with one driver',
  nonGoals: 'the API server, and code of the user',
  run: async (size) => {
    const memory = await memoryFigures();
    const driver = size === 'full' ? buildGoWebhook() : undefined;
    return driver === undefined ? memory : [...memory, ...(await compare(driver))];
  },
};

/** The memory of a manager with a webhook server, and without one. */
async function memoryFigures(): Promise<Figure[]> {
  const folder = certificateFolder();
  try {
    const without = await idleMiB([]);
    const withServer = await idleMiB([String(await freePort()), folder]);
    return [
      { measure: 'memory of an idle manager', value: without, unit: 'MiB' },
      { measure: '  more with a webhook server', value: withServer - without, unit: 'MiB', bar: 12 },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function idleMiB(programArguments: readonly string[]): Promise<number> {
  const running = new RunningProgram<IdleEvent>(node, [...program, ...programArguments]);
  try {
    return (await running.next('idle')).rssMiB;
  } finally {
    await running.stop();
  }
}

interface Driven {
  readonly name: string;
  readonly port: number;
  readonly server: RunningProgram<IdleEvent>;
  readonly validate: Report[];
  readonly perCpuSecond: number[];
  readonly convert: Report[];
}

async function compare(driver: string): Promise<Figure[]> {
  const folder = certificateFolder();
  const [ownPort, goPort] = [await freePort(), await freePort()];
  const driven = (name: string, port: number, server: RunningProgram<IdleEvent>): Driven => ({
    ...{ name, port, server },
    ...{ validate: [], perCpuSecond: [], convert: [] },
  });
  const servers = [
    driven('evenkeel', ownPort, new RunningProgram(node, [...program, String(ownPort), folder])),
    driven(
      'controller-runtime',
      goPort,
      new RunningProgram(driver, ['serve', '-port', String(goPort), '-certs', folder]),
    ),
  ];
  writeFileSync(join(folder, 'admission.json'), admissionReview());
  writeFileSync(join(folder, 'conversion.json'), conversionReview());
  const drive = ({ port }: Driven, path: string, body: string, calls: number, inFlight: number): Report => {
    const [figures = {}] = reports(driver, [
      ...['drive', '-url', `https://127.0.0.1:${port}${path}`, '-ca', join(folder, 'tls.crt')],
      ...['-body', join(folder, body), '-n', String(calls), '-c', String(inFlight)],
    ]);
    if (figures['failed'] !== 0) throw new Error(`${figures['failed']} of ${calls} calls of ${path} failed`);
    return figures;
  };
  const validatePath = '/validate-bench-example-com-v1-bench';
  try {
    for (const server of servers) {
      drive(server, validatePath, 'admission.json', 10_000, 16);
      drive(server, '/convert', 'conversion.json', 20, 1);
    }
    for (let round = 0; round < rounds; round++) {
      for (const server of servers) {
        const cpuMs = server.server.cpuMs;
        const calls = 20_000;
        server.validate.push(drive(server, validatePath, 'admission.json', calls, 16));
        server.perCpuSecond.push((calls * 1000) / (server.server.cpuMs - cpuMs));
        server.convert.push(drive(server, '/convert', 'conversion.json', 30, 1));
      }
    }
  } finally {
    for (const { server } of servers) await server.stop();
    rmSync(folder, { recursive: true });
  }
  const of = (all: readonly Report[], name: string): number => median(all.map((one) => one[name] ?? Number.NaN));
  return servers.flatMap(({ name, validate, perCpuSecond, convert }): Figure[] => [
    { measure: `${name}: validating call, 16 in flight, p50`, value: of(validate, 'p50Us'), unit: 'us' },
    { measure: '  p99', value: of(validate, 'p99Us'), unit: 'us' },
    { measure: '  calls', value: of(validate, 'perSecond'), unit: 'per second' },
    { measure: '  calls for each second of processor time', value: median(perCpuSecond), unit: 'per second' },
    { measure: '  conversion of 1,000 objects, p50', value: of(convert, 'p50Us') / 1000, unit: 'ms' },
  ]);
}

function certificateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  const authority = new CertificateAuthority('bench', Date.now());
  const issued = authority.issue({ commonName: 'bench', usage: 'server', hosts: ['127.0.0.1'] });
  writeFileSync(join(folder, 'tls.crt'), issued.certificatePem + authority.certificatePem);
  writeFileSync(join(folder, 'tls.key'), issued.privateKeyPem);
  return folder;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** An object of 2 KB. */
function objectAt(at: number): object {
  return {
    ...{ apiVersion: 'bench.example.com/v1', kind: 'Bench' },
    metadata: {
      ...{ name: `bench-${at}`, namespace: 'default', labels: { app: 'bench' } },
      ...{
        uid: `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`,
        creationTimestamp: '2026-01-01T00:00:00Z',
      },
    },
    spec: { replicas: 3, image: 'nginx:1.29', payload: 'x'.repeat(1600), labels: { one: 'two', three: 'four' } },
  };
}

function admissionReview(): string {
  const type = { group: 'bench.example.com', version: 'v1' };
  return JSON.stringify({
    ...{ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' },
    request: {
      ...{ uid: 'e911857d-c318-11e8-bbad-025000000001', operation: 'CREATE', dryRun: false },
      ...{ kind: { ...type, kind: 'Bench' }, resource: { ...type, resource: 'benches' } },
      ...{ name: 'bench-1', namespace: 'default', userInfo: { username: 'admin', groups: ['system:masters'] } },
      ...{ object: objectAt(1), oldObject: null, options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' } },
    },
  });
}

function conversionReview(): string {
  return JSON.stringify({
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' },
    request: {
      ...{ uid: 'e911857d-c318-11e8-bbad-025000000002', desiredAPIVersion: 'bench.example.com/v2' },
      objects: Array.from({ length: 1000 }, (_, at) => objectAt(at)),
    },
  });
}
