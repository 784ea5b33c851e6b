import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { freePorts } from '../test/free-ports.fixture.ts';
import { buildGoWebhook } from './go-webhook.ts';
import { node } from './run-program.ts';
import { type ProgramEvent, RunningProgram } from './running-program.ts';

interface IdleEvent extends ProgramEvent {
  readonly rssMiB: number;
}

/** A webhook server in its own process, which validates `Bench` and converts it. */
export interface WebhookServer {
  readonly name: 'evenkeel' | 'controller-runtime';
  readonly url: string;
  readonly caFile: string;
  readonly caPem: string;
  /** The processor time of the process so far. */
  readonly cpuMs: () => number;
}

const program = ['--expose-gc', 'bench/programs/serve-webhooks.mjs'];

/** Calls `use` with our server, and with that of controller-runtime if it is asked for and can be built. */
export async function withWebhookServers<T>(
  peer: 'alone' | 'with-go',
  use: (servers: readonly WebhookServer[]) => Promise<T>,
): Promise<T> {
  const { folder, caFile, caPem } = certificateFolder();
  const running: RunningProgram<IdleEvent>[] = [];
  const serve = (
    name: WebhookServer['name'],
    port: number,
    command: string,
    args: readonly string[],
  ): WebhookServer => {
    const started = new RunningProgram<IdleEvent>(command, args);
    running.push(started);
    return { name, url: `https://127.0.0.1:${port}`, caFile, caPem, cpuMs: () => started.cpuMs };
  };
  try {
    const [ownPort = 0, goPort = 0] = await freePorts(2);
    const servers = [serve('evenkeel', ownPort, node, [...program, String(ownPort), folder])];
    const go = peer === 'with-go' ? buildGoWebhook() : undefined;
    if (go !== undefined) {
      servers.push(serve('controller-runtime', goPort, go, ['-port', String(goPort), '-certs', folder]));
    }
    await running[0]?.next('idle');
    return await use(servers);
  } finally {
    for (const one of running) await one.stop();
    rmSync(folder, { recursive: true });
  }
}

/** The memory of an idle manager, with a webhook server or without one. */
export async function idleMiB(serves: boolean): Promise<number> {
  const { folder } = certificateFolder();
  const [port = 0] = await freePorts(1);
  const running = new RunningProgram<IdleEvent>(node, [...program, ...(serves ? [String(port), folder] : [])]);
  try {
    return (await running.next('idle')).rssMiB;
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true });
  }
}

function certificateFolder(): { readonly folder: string; readonly caFile: string; readonly caPem: string } {
  const folder = mkdtempSync(join(tmpdir(), 'evenkeel-bench-'));
  const authority = new CertificateAuthority('bench', Date.now());
  const issued = authority.issue({ commonName: 'bench', usage: 'server', hosts: ['127.0.0.1'] });
  const caFile = join(folder, 'ca.crt');
  writeFileSync(caFile, authority.certificatePem);
  writeFileSync(join(folder, 'tls.crt'), issued.certificatePem);
  writeFileSync(join(folder, 'tls.key'), issued.privateKeyPem);
  return { folder, caFile, caPem: authority.certificatePem };
}
