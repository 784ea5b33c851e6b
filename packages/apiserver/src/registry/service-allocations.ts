import type { Random } from '@evenkeel/core';
import type { ServiceAllocator } from '../kind/strategy.ts';

/** kube-apiserver's default `--service-node-port-range`. */
const nodePortFirst = 30_000;
const nodePortLast = 32_767;

/**
 * The cluster IPs of one IPv4 range and the node ports of the default range. Both are allocated at random, as upstream;
 * addresses come first from the part of the range that upstream uses for dynamic allocation.
 */
export class ServiceAllocations implements ServiceAllocator {
  readonly #random: Random;
  readonly #cidr: string;
  readonly #first: number;
  readonly #size: number;
  readonly #addresses = new Set<number>();
  readonly #ports = new Set<number>();

  /** `cidr` such as `10.96.0.0/12`. Throws RangeError for an invalid IPv4 range. */
  constructor(cidr: string, random: Random) {
    const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(cidr);
    const bits = Number(match?.[5]);
    if (match === null || bits < 8 || bits > 30)
      throw new RangeError(`${cidr} is not an IPv4 range between /8 and /30`);
    this.#cidr = cidr;
    this.#random = random;
    this.#size = 2 ** (32 - bits);
    const address = numberOf(cidr.slice(0, cidr.indexOf('/')));
    this.#first = address - (address % this.#size);
    // The network address and the broadcast address are never allocated.
    this.#addresses.add(0);
    this.#addresses.add(this.#size - 1);
  }

  /** The first address, which is that of the service `kubernetes`. */
  get firstClusterIp(): string {
    return textOf(this.#first + 1);
  }

  nextClusterIp(): string {
    // The lower part is reserved for addresses that are requested explicitly (KEP-3070).
    const reserved = Math.min(Math.max(16, Math.floor(this.#size / 16)), 256);
    const start = this.#size > 32 ? reserved : 0;
    const span = this.#size - start;
    const offset = this.#random.integer(span);
    for (let step = 0; step < this.#size; step++) {
      const candidate = step < span ? start + ((offset + step) % span) : step - span;
      if (this.#addresses.has(candidate)) continue;
      this.#addresses.add(candidate);
      return textOf(this.#first + candidate);
    }
    throw new RangeError('range is full');
  }

  takeClusterIp(address: string): string | undefined {
    const offset = numberOf(address) - this.#first;
    if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(address) || offset <= 0 || offset >= this.#size - 1) {
      return `the provided IP (${address}) is not in the valid range. The range of valid IPs is ${this.#cidr}`;
    }
    if (this.#addresses.has(offset)) return 'provided IP is already allocated';
    this.#addresses.add(offset);
    return undefined;
  }

  releaseClusterIp(address: string): void {
    const offset = numberOf(address) - this.#first;
    if (offset > 0 && offset < this.#size - 1) this.#addresses.delete(offset);
  }

  nextNodePort(): number {
    const span = nodePortLast - nodePortFirst + 1;
    const offset = this.#random.integer(span);
    for (let step = 0; step < span; step++) {
      const port = nodePortFirst + ((offset + step) % span);
      if (this.#ports.has(port)) continue;
      this.#ports.add(port);
      return port;
    }
    throw new RangeError('range is full');
  }

  takeNodePort(port: number): string | undefined {
    if (port < nodePortFirst || port > nodePortLast) {
      return `provided port is not in the valid range. The range of valid ports is ${nodePortFirst}-${nodePortLast}`;
    }
    if (this.#ports.has(port)) return 'provided port is already allocated';
    this.#ports.add(port);
    return undefined;
  }

  releaseNodePort(port: number): void {
    this.#ports.delete(port);
  }
}

/** The allocations of one write, which are freed if nothing is stored. */
export class AllocationJournal implements ServiceAllocator {
  readonly #allocator: ServiceAllocator;
  readonly #undo: (() => void)[] = [];

  constructor(allocator: ServiceAllocator) {
    this.#allocator = allocator;
  }

  giveBack(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }

  nextClusterIp(): string {
    const address = this.#allocator.nextClusterIp();
    this.#undo.push(() => this.#allocator.releaseClusterIp(address));
    return address;
  }

  takeClusterIp(address: string): string | undefined {
    const why = this.#allocator.takeClusterIp(address);
    if (why === undefined) this.#undo.push(() => this.#allocator.releaseClusterIp(address));
    return why;
  }

  releaseClusterIp(address: string): void {
    this.#allocator.releaseClusterIp(address);
  }

  nextNodePort(): number {
    const port = this.#allocator.nextNodePort();
    this.#undo.push(() => this.#allocator.releaseNodePort(port));
    return port;
  }

  takeNodePort(port: number): string | undefined {
    const why = this.#allocator.takeNodePort(port);
    if (why === undefined) this.#undo.push(() => this.#allocator.releaseNodePort(port));
    return why;
  }

  releaseNodePort(port: number): void {
    this.#allocator.releaseNodePort(port);
  }
}

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function textOf(address: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}
