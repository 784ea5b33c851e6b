import { type Client, createClient } from '@evenkeel/client';
import {
  Controller,
  CustomResource,
  KubernetesObject,
  Reconcile,
  Spec,
  Status,
  type Transport,
  type TransportResponse,
} from '@evenkeel/core';
import { CustomResourceDefinition, Secret } from '@evenkeel/kinds';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { definitionOf } from './definition.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

class SiteSpec {
  text = '';
  color = '';
}

class SiteStatus {
  seen?: string;
}

@CustomResource({ group: 'fields.example.com', version: 'v1' })
class Site extends KubernetesObject {
  @Spec() spec!: SiteSpec;
  @Status() status!: SiteStatus;
}

/** The runs, each with the observed colour. */
let seen: string[] = [];

@Controller(Site)
class SiteController {
  @Reconcile()
  reconcile(site: Site): void {
    seen.push(`${site.metadata.name} ${site.spec.color}`);
    site.status.seen = site.spec.color;
  }
}

@Controller(Secret, { name: 'independent' })
class Independent {
  @Reconcile() reconcile(): void {}
}

/** The fields at build time. */
const fields = { 'sites.fields.example.com/v1': ['spec.color', 'spec.text', 'status.seen'] };

const withoutColor = { text: { type: 'string' } };
const withColor = { ...withoutColor, color: { type: 'string', default: 'red' } };

function definitionWith(spec: object): CustomResourceDefinition {
  const status = { type: 'object', properties: { seen: { type: 'string' } } };
  return definitionOf(Site, { spec: { type: 'object', ...spec }, status });
}

/** Counts the OpenAPI requests, and responds to them with a status if one is set. */
class OpenApiTransport implements Transport {
  readonly #target: Transport;
  readonly answers: number[] = [];
  refusesWith: number | undefined;

  constructor(target: Transport) {
    this.#target = target;
  }

  async request(request: Parameters<Transport['request']>[0]): Promise<TransportResponse> {
    if (!request.path.startsWith('/openapi')) return this.#target.request(request);
    expect(request.path).toBe('/openapi/v3/apis/fields.example.com/v1');
    const response =
      this.refusesWith === undefined
        ? await this.#target.request(request)
        : { status: this.refusesWith, headers: {}, body: (async function* (): AsyncGenerator<Uint8Array> {})() };
    this.answers.push(response.status);
    return response;
  }

  close(): Promise<void> {
    return this.#target.close();
  }
}

describeOnEveryServer('an operator with the option fields', (start) => {
  let backend: ApiBackend;
  let client: Client;
  let operator: TestOperator;
  let transport: OpenApiTransport;

  beforeAll(async () => {
    backend = await start();
    client = createClient(backend.transport(), { fieldManager: 'test' });
  });

  beforeEach(() => {
    seen = [];
  });

  afterEach(() => operator?.manager.stop());

  afterAll(() => backend.stop());

  async function operating(): Promise<void> {
    transport = new OpenApiTransport(backend.transport());
    operator = await TestOperator.begin(backend, [SiteController, Independent], { fields, transport });
  }

  /** Creates or updates the CRD, and waits until the server publishes it. */
  async function definedWith(spec: object): Promise<void> {
    await client.apply(CustomResourceDefinition, definitionWith(spec), { force: true });
    const properties = JSON.stringify(spec);
    await operatorLessUntil(async () => {
      const response = await backend
        .transport()
        .request({ method: 'GET', path: '/openapi/v3/apis/fields.example.com/v1', headers: {} });
      let text = '';
      for await (const chunk of response.body) text += Buffer.from(chunk).toString('utf8');
      if (response.status !== 200) return false;
      const { components } = JSON.parse(text) as {
        components: { schemas: Record<string, { properties?: { spec?: { properties?: object } } }> };
      };
      const published = components.schemas['com.example.fields.v1.Site']?.properties?.spec ?? {};
      return Object.keys(published.properties ?? {}).every((name) => properties.includes(name));
    });
  }

  async function operatorLessUntil(holds: () => Promise<boolean>): Promise<void> {
    const endMs = performance.now() + 90_000;
    while (!(await holds())) {
      if (performance.now() > endMs) throw new Error('the definition is not published');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  const degraded = (): string[] =>
    operator.manager.health.controllers
      .filter(({ sources }) => sources.some((source) => source.degraded))
      .map(({ name }) => name);

  it('pauses and names the field while it is missing in the CRD, continues when it exists, and pauses again after its removal', async () => {
    await definedWith({ properties: withoutColor });
    await operating();
    await operator.until('degraded', () => degraded().length > 0);
    expect(degraded()).toEqual(['site']);
    const { ready, live, problems } = operator.manager.health;
    expect({ ready, live, problems }).toEqual({
      ready: false,
      live: true,
      problems: expect.arrayContaining([
        'controller site needs fields of sites.fields.example.com/v1 for @Controller(Site) that the API server does not serve: spec.color; apply the CRD that belongs to this version of the operator ("kubectl apply -f config/crd/fields.example.com_sites.yaml"); the controller then continues',
      ]),
    });
    await client.create(Site, { metadata: { name: 'early', namespace: 'default' }, spec: { text: 'x' } as SiteSpec });
    await client.create(Secret, { metadata: { name: 'other', namespace: 'default' } });
    await operator.until('others work', () => operator.outcomes('other').length > 0);
    expect(operator.outcomes('early')).toEqual([]);

    await definedWith({ properties: withColor });
    const startMs = performance.now();
    await operator.until('ready', () => operator.manager.health.ready);
    // It checks every 2 s. A busy machine takes longer, but not the 30 s of a reflector's longest delay.
    expect(performance.now() - startMs).toBeLessThan(25_000);
    await operator.until('the run', () => operator.outcomes('early').length > 0);
    // With the cached resource version, and with the default of the new field.
    await operator.object(Site, 'early', ({ status }) => status?.seen === 'red');
    expect(seen).toEqual(['early red']);
    await client.create(Site, { metadata: { name: 'late', namespace: 'default' }, spec: { text: '', color: 'blue' } });
    await operator.object(Site, 'late', ({ status }) => status?.seen === 'blue');

    await definedWith({ properties: withoutColor });
    await operator.until('degraded again', () => degraded().length > 0);
    const runs = operator.outcomes('late').length;
    await client.patch(Site, 'default/late', { merge: { spec: { text: 'changed' } } });
    await client.create(Secret, { metadata: { name: 'another', namespace: 'default' } });
    await operator.until('others work', () => operator.outcomes('another').length > 0);
    // It checks again. An unchanged document is not sent again.
    await operator.until('another look', () => transport.answers.includes(304));
    expect(operator.outcomes('late')).toHaveLength(runs);

    await definedWith({ properties: withColor });
    await operator.until('the run of what came meanwhile', () => operator.outcomes('late').length > runs);
    // The write in between dropped its value, because the server did not have the field.
    expect(seen.filter((run) => run.startsWith('late')).at(-1)).toBe('late red');
    expect(seen).not.toContain('early undefined');
    const logged = operator.warnings.filter(({ message }) => message.includes('needs fields'));
    expect(logged).toHaveLength(2);
    await operator.until('ready again', () => operator.manager.health.ready);
    expect(operator.manager.health.problems).toEqual([]);
    for (const name of ['early', 'late']) await client.delete(Site, `default/${name}`);
  });

  it('does not pause if the CRD preserves unknown fields or has additional fields', async () => {
    await definedWith({ 'x-kubernetes-preserve-unknown-fields': true });
    await operating();
    await operator.until('ready', () => operator.manager.health.ready);
    await client.create(Site, { metadata: { name: 'kept', namespace: 'default' }, spec: { text: '', color: 'blue' } });
    await operator.object(Site, 'kept', ({ status }) => status?.seen === 'blue');
    await client.delete(Site, 'default/kept');
    await operator.manager.stop();
    await definedWith({ properties: { ...withColor, size: { type: 'integer' } } });
    await operating();
    await operator.until('the answer', () => transport.answers.length > 0);
    await client.create(Site, { metadata: { name: 'more', namespace: 'default' }, spec: { text: '', color: 'green' } });
    await operator.object(Site, 'more', ({ status }) => status?.seen === 'green');
    expect(degraded()).toEqual([]);
    await client.delete(Site, 'default/more');
  });

  it.each([403, 404, 500])('does not pause if the server responds with %d instead of its fields', async (status) => {
    await definedWith({ properties: withoutColor });
    transport = new OpenApiTransport(backend.transport());
    transport.refusesWith = status;
    operator = await TestOperator.begin(backend, [SiteController], { fields, transport });
    await client.create(Site, { metadata: { name: 'site', namespace: 'default' }, spec: { text: '' } as SiteSpec });
    await operator.until('the run', () => operator.outcomes('site').length > 0);
    expect(degraded()).toEqual([]);
    await client.delete(Site, 'default/site');
  });
});
