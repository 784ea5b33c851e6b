import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../test/imports.fixture.ts';

/** The same operator in other frameworks, for comparison; undefined if they are not on this machine. */
export interface Peers {
  /** controller-runtime's, in Go. */
  readonly controllerRuntime: string;
  /** kube-rs's, in Rust. */
  readonly kubeRs: string;
  /** A driver over client-go. */
  readonly load: string;
  /** The CRD of the watched kind, as YAML. */
  readonly definitionFile: string;
}

const folder = join(root, '..', 'shared', 'peers');

/** Unpacks the peers' programs, once on each machine. */
export function findPeers(): Peers | undefined {
  const definitionFile = join(folder, 'controller-runtime', 'bench.crd.yaml');
  if (!existsSync(definitionFile)) return undefined;
  return {
    controllerRuntime: unpack('controller-runtime/operator'),
    kubeRs: unpack('kube-rs/operator'),
    load: unpack('load/load'),
    definitionFile,
  };
}

function unpack(name: string): string {
  const packed = join(folder, `${name}.zst`);
  const unpacked = join(tmpdir(), 'evenkeel-peers');
  const program = join(unpacked, name.replace('/', '-'));
  if (existsSync(program)) return program;
  mkdirSync(unpacked, { recursive: true });
  const partial = `${program}.${process.pid}`;
  execFileSync('zstd', ['--decompress', '--quiet', '--force', packed, '-o', partial]);
  chmodSync(partial, 0o700);
  renameSync(partial, program);
  return program;
}
