import { CustomResource, KubernetesObject, SeededRandom, SilentLogger, Spec, Status } from '@evenkeel/core';
import { customResourceDefinitionOf } from '@evenkeel/schema';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import {
  type ComparedAnswer,
  type ComparedServer,
  embeddedServer,
  normalise,
  realServer,
} from '../packages/apiserver/src/comparison.fixture.ts';
import { ConversionWebhook } from '../packages/apiserver/src/customresource/conversion-webhook.fixture.ts';
import { ConversionRoute } from '../packages/runtime/src/webhook/conversion/conversion-route.ts';
import { describeWithRealServer } from './real-server.fixture.ts';
import { seed } from './seed.fixture.ts';

const group = 'conversion.example.com';

class Size {
  @IsOptional() @IsInt() width?: number;
  @IsOptional() @IsInt() height?: number;
}

class ShopSpec {
  @IsOptional() @IsInt() replicas?: number;
  @IsOptional() @ValidateNested() @Type(() => Size) size?: Size;
  @IsOptional() @IsString() retries?: string;
  @IsString() color = 'blue';
}

class ShopStatus {
  @IsOptional() @IsString() phase?: string;
}

@CustomResource({ group, version: 'v2', kind: 'Shop', storage: true })
class Shop extends KubernetesObject {
  @Spec() spec!: ShopSpec;
  @Status() status!: ShopStatus;
}

class OldStatus {
  @IsOptional() @IsString() state?: string;
}

class OldSpec {
  @IsOptional() @IsInt() count?: number;
  @IsOptional() @IsString() size?: string;
  @IsOptional() @IsString() legacy?: string;
  @IsString() color = 'blue';
}

@CustomResource({
  group,
  version: 'v1',
  kind: 'Shop',
  conversion: {
    hub: () => Shop,
    moves: { 'spec.count': 'spec.replicas', 'status.state': 'status.phase' },
    keep: { spoke: ['spec.legacy', 'spec.size'], hub: ['spec.retries', 'spec.size'] },
    toHub: ({ spec: { size, color } }: OldShop, hub) => {
      if (color === 'bad') throw new Error('a bad color cannot be converted');
      const [width, height] = (size ?? '').split('x').map(Number);
      if (height !== undefined && width !== undefined) hub.spec.size = { width, height };
    },
    fromHub: ({ spec: { size } }, old: OldShop) => {
      if (size?.width !== undefined && size.height !== undefined) old.spec.size = `${size.width}x${size.height}`;
    },
  },
})
class OldShop extends KubernetesObject {
  @Spec() spec!: OldSpec;
  @Status() status!: OldStatus;
}

describeWithRealServer(`versions that an operator converts, with seed ${seed}`, () => {
  let servers: readonly ComparedServer[] = [];
  let webhook: ConversionWebhook;

  beforeAll(async () => {
    webhook = await ConversionWebhook.open();
    const route = new ConversionRoute({ classes: [OldShop], logger: new SilentLogger() });
    webhook.answer = (review, response) => {
      const body = new TextEncoder().encode(JSON.stringify(review));
      const { signal } = new AbortController();
      const call = { path: '/convert', query: new URLSearchParams(), contentType: 'application/json', body, signal };
      void route.handle(call).then((answer) => {
        response.writeHead(answer.status, { 'content-type': answer.contentType });
        response.end(answer.body);
      });
      return undefined;
    };
    servers = await Promise.all([realServer(), embeddedServer()]);
    const definition = await customResourceDefinitionOf([Shop, OldShop]);
    const clientConfig = { url: webhook.url, caBundle: webhook.caBundle };
    Object.assign(definition.spec.conversion?.webhook ?? {}, { clientConfig });
    for (const server of servers) {
      const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      expect((await server.send('POST', definitions, { body: definition })).status).toBe(201);
      for (const version of ['v1', 'v2']) await served(server, path(version));
    }
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
    webhook.close();
  });

  const path = (version: string, name = '', query = ''): string =>
    `/apis/${group}/${version}/namespaces/default/shops${name === '' ? '' : `/${name}`}${query}`;

  const shop = (version: string, name: string, spec: object): object => ({
    apiVersion: `${group}/${version}`,
    kind: 'Shop',
    metadata: { name },
    spec,
  });

  /** Sends the same to both servers and expects the same responses. Returns that of the real server. */
  async function same(...request: Parameters<ComparedServer['send']>): Promise<ComparedAnswer> {
    const [real, ours] = await Promise.all(servers.map((server) => server.send(...request)));
    if (real === undefined || ours === undefined) throw new Error('two servers are compared');
    const shown = { request: [request[0], request[1], request[2]?.body] };
    expect({ ...shown, ...normalised(ours) }).toEqual({ ...shown, ...normalised(real) });
    return real;
  }

  it('keep everything through random writes, on both servers', async () => {
    const random = new SeededRandom(seed);
    const pick = <T>(values: readonly T[]): T => values[random.integer(values.length)] as T;
    const maybe = (fields: object): object =>
      Object.fromEntries(Object.entries(fields).filter(() => random.integer(2) === 0));
    const names = ['x', 'y', 'z'];
    const specOf = (version: string): object =>
      version === 'v1'
        ? maybe({
            count: random.integer(3),
            size: pick(['1x2', '01x2', '3x4']),
            legacy: pick(['a', 'b']),
            color: pick(['red', 'blue']),
          })
        : maybe({
            replicas: random.integer(3),
            size: pick([{ width: 1 }, { width: 1, height: 2 }]),
            retries: pick(['r', 's']),
            color: pick(['red', 'blue']),
          });
    for (const name of names) {
      const version = pick(['v1', 'v2']);
      await same('POST', path(version, '', '?fieldManager=m0'), { body: shop(version, name, specOf(version)) });
    }
    for (let step = 0; step < 150; step++) {
      const version = pick(['v1', 'v2']);
      const [name, manager] = [pick(names), pick(['m1', 'm2', 'm3'])];
      const spec = specOf(version);
      if (random.integer(4) === 0) {
        const field = version === 'v1' ? 'state' : 'phase';
        await same('PATCH', `${path(version, name)}/status?fieldManager=${manager}`, {
          body: { status: { [field]: pick(['on', 'off']) } },
          contentType: 'application/merge-patch+json',
        });
      } else if (random.integer(3) === 0) {
        await same('PATCH', path(version, name, `?fieldManager=${manager}`), {
          body: { spec },
          contentType: 'application/merge-patch+json',
        });
      } else {
        await same(
          'PATCH',
          path(version, name, `?fieldManager=${manager}${random.integer(2) === 0 ? '&force=true' : ''}`),
          {
            body: shop(version, name, spec),
            contentType: 'application/apply-patch+yaml',
          },
        );
      }
      if (step % 15 === 14) for (const each of ['v1', 'v2']) await same('GET', path(each));
    }
  });

  it('show the values of the other version again, as long as nobody changed them there', async () => {
    await same('POST', path('v1'), { body: shop('v1', 'kept', { size: '01x2', legacy: 'a', count: 1 }) });
    const specIn = async (version: string): Promise<unknown> =>
      ((await same('GET', path(version, 'kept'))).body as { spec: unknown }).spec;
    expect(await specIn('v2')).toEqual({ replicas: 1, size: { width: 1, height: 2 }, color: 'blue' });
    const patch = async (version: string, spec: object): Promise<unknown> =>
      same('PATCH', path(version, 'kept'), { body: { spec }, contentType: 'application/merge-patch+json' });
    await patch('v2', { replicas: 5, retries: 'many' });
    expect(await specIn('v1')).toEqual({ count: 5, size: '01x2', legacy: 'a', color: 'blue' });
    await patch('v2', { size: { width: 7 } });
    expect(await specIn('v1')).toEqual({ count: 5, size: '7x2', legacy: 'a', color: 'blue' });
    await patch('v1', { count: 6 });
    expect(await specIn('v2')).toEqual({ replicas: 6, size: { width: 7, height: 2 }, retries: 'many', color: 'blue' });
  });

  it('report an object that cannot be converted by its name', async () => {
    const { status, body } = await same('POST', path('v1'), { body: shop('v1', 'failing', { color: 'bad' }) });
    expect({ status, message: (body as { message: string }).message }).toEqual({
      status: 500,
      message: `conversion webhook for ${group}/v1, Kind=Shop failed: Shop default/failing: conversion from ${group}/v1 to ${group}/v2 failed: Error: a bad color cannot be converted`,
    });
    expect((await same('GET', path('v2', 'failing'))).status).toBe(404);
  });
});

/** Entries of the same second are in the order of their names. */
function normalised(answer: ComparedAnswer): object {
  return JSON.parse(JSON.stringify(normalise(answer)), (key, value: unknown) =>
    key === 'managedFields' && Array.isArray(value) ? value.sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)) : value,
  ) as object;
}

function orderOf(entry: unknown): string {
  const { manager, operation, apiVersion, subresource } = entry as Record<string, unknown>;
  return `${manager} ${operation} ${apiVersion} ${subresource}`;
}

/** Waits for a server, which needs a moment after a definition was written. */
async function served(server: ComparedServer, at: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if ((await server.send('GET', at)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${at} is not served`);
}
