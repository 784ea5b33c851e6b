import type { FieldError } from '@evenkeel/apimachinery/field-error';
import { copyJson } from '@evenkeel/apimachinery/json';
import { ManualClock, SeededRandom } from '@evenkeel/core';
import type { Pod } from '@evenkeel/kinds';
import { builtinGroups } from '@evenkeel/kinds/discovery';
import { admitPod } from '../admission/pod-admission.ts';
import { priorityClasses } from '../bootstrap-cluster.ts';
import { loadStrategy } from '../catalog/built-in-strategies.ts';
import { builtinCodec } from '../catalog/builtin-codec.ts';
import { type ApiObject } from '../kind/api-object.ts';
import type { ServiceAllocator, Strategy, StrategyContext } from '../kind/strategy.ts';

/** Allocates addresses and ports like the server in the tests: from 10.0.0.0/24, of which the first is in use. */
export class TestAllocator implements ServiceAllocator {
  readonly taken = new Set<string | number>(['10.0.0.1']);

  nextClusterIp(): string {
    for (let last = 2; last < 255; last += 1) {
      if (this.takeClusterIp(`10.0.0.${last}`) === undefined) return `10.0.0.${last}`;
    }
    throw new Error('range is full');
  }

  takeClusterIp(address: string): string | undefined {
    if (!address.startsWith('10.0.0.')) return 'the provided network does not match the current range';
    return this.#take(address, 'provided IP is already allocated');
  }

  releaseClusterIp(address: string): void {
    this.taken.delete(address);
  }

  nextNodePort(): number {
    for (let port = 30_000; ; port += 1) if (this.takeNodePort(port) === undefined) return port;
  }

  takeNodePort(port: number): string | undefined {
    if (port < 30_000 || port > 32_767) {
      return 'provided port is not in the valid range. The range of valid ports is 30000-32767';
    }
    return this.#take(port, 'provided port is already allocated');
  }

  releaseNodePort(port: number): void {
    this.taken.delete(port);
  }

  #take(value: string | number, reason: string): string | undefined {
    if (this.taken.has(value)) return reason;
    this.taken.add(value);
    return undefined;
  }
}

export function testContext(allocator: ServiceAllocator = new TestAllocator()): StrategyContext {
  return {
    user: { name: 'admin', groups: [] },
    clock: new ManualClock(),
    random: new SeededRandom(1),
    dryRun: false,
    lookup: ({ plural }, _, name) =>
      plural === 'priorityclasses' ? priorityClasses.find(({ metadata }) => metadata.name === name) : undefined,
    allows: () => true,
    resourceOf: () => undefined,
    allocator,
  };
}

export async function strategyOf(object: ApiObject): Promise<Strategy> {
  const group = object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';
  return (await loadStrategy({ group, kind: object.kind })) ?? {};
}

/** Returns the kind's codec, and whether its status is a subresource. */
async function codecOf({ apiVersion, kind }: ApiObject) {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const versions = builtinGroups.find(({ name }) => name === group)?.versions ?? [];
  const resource = versions.find((one) => one.version === version)?.resources.find((one) => one.kind === kind);
  if (resource === undefined) throw new Error(`no built-in ${kind} in ${apiVersion}`);
  const strategy = await strategyOf({ apiVersion, kind } as ApiObject);
  const hasStatus = resource.subresources?.some(({ subresource }) => subresource === 'status') === true;
  return {
    strategy,
    codec: await builtinCodec(apiVersion, resource, strategy),
    resetsStatus: strategy.statusIsSubresource ?? hasStatus,
  };
}

export interface Admitted {
  readonly object: ApiObject;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** Decodes a body and runs the hooks of a create on it, as the pipeline does. */
export async function admitCreate(
  body: object,
  system: Partial<ApiObject['metadata']> = {},
  context = testContext(),
): Promise<Admitted> {
  const { strategy, codec, resetsStatus } = await codecOf(body as ApiObject);
  const { object } = codec.decode(copyJson(body) as Record<string, unknown>);
  Object.assign(object.metadata, system);
  if (resetsStatus) object['status'] = copyJson(codec.empty['status']);
  if (object.kind === 'Pod') admitPod(object as unknown as Pod, undefined, context);
  strategy.prepareForCreate?.(object, context);
  const errors = strategy.validate?.(object, context) ?? [];
  strategy.canonicalize?.(object);
  return { object, errors, warnings: strategy.warnings?.(object, undefined, context) ?? [] };
}

/** The same for an update. Missing metadata is that of the old object. */
export async function admitUpdate(body: object, old: ApiObject, context = testContext()): Promise<Admitted> {
  const { strategy, codec, resetsStatus } = await codecOf(body as ApiObject);
  const { object } = codec.decode(copyJson(body) as Record<string, unknown>);
  object.metadata = { ...copyJson(old.metadata), ...object.metadata };
  if (resetsStatus && old['status'] !== undefined) object['status'] = copyJson(old['status']);
  if (object.kind === 'Pod') admitPod(object as unknown as Pod, old as unknown as Pod, context);
  strategy.prepareForUpdate?.(object, old, context);
  const errors = strategy.validateUpdate?.(object, old, context) ?? [];
  return { object, errors, warnings: strategy.warnings?.(object, old, context) ?? [] };
}
