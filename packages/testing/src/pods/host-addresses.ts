import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { EvenkeelError } from '@evenkeel/core';

/** An address of this machine for one pod. */
export interface HostAddress {
  readonly ip: string;
  release(): void;
}

const attempts = 200;

/**
 * Allocates an address in 127.64.0.0/10 that no other pod on this machine has, not even a pod of another process. On Linux, every address
 * in 127.0.0.0/8 is local. Other systems only have 127.0.0.1, which all pods then share.
 */
export async function allocateAddress(platform: NodeJS.Platform = process.platform): Promise<HostAddress> {
  if (platform !== 'linux') return { ip: '127.0.0.1', release: () => undefined };
  for (let attempt = 0; attempt < attempts; attempt++) {
    const ip = `127.${64 + below(64)}.${below(256)}.${1 + below(254)}`;
    const claim = await claimed(ip);
    if (claim !== undefined) return { ip, release: () => void claim.close() };
  }
  throw new EvenkeelError(
    'address-unavailable',
    `no free address in 127.64.0.0/10 after ${attempts} attempts; stop other tests that run pods on this machine`,
  );
}

function below(count: number): number {
  return Math.floor(Math.random() * count);
}

/**
 * An abstract socket with the name of the address. Only one process can have it, and the kernel removes it with the process.
 * Undefined if another one has it.
 */
async function claimed(ip: string): Promise<Server | undefined> {
  const server = createServer();
  server.listen(`\0evenkeel-pod-${ip}`);
  try {
    await once(server, 'listening');
    server.unref();
    return server;
  } catch {
    return undefined;
  }
}
