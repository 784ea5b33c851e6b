import { ApiServer } from './api-server.ts';
import { request, type TestAnswer } from './request.fixture.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const things = '/apis/hostile.example.com/v1/namespaces/default/things';
const configMaps = '/api/v1/namespaces/default/configmaps';
const yaml = { 'content-type': 'application/yaml' };
const apply = { 'content-type': 'application/apply-patch+yaml' };

const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const text = { type: 'string' };

function definition(spec: object): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.hostile.example.com' },
    spec: {
      group: 'hostile.example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  };
}

/** The JSON of a Thing with a spec that is given as JSON. */
const thing = (spec: string) =>
  `{"apiVersion":"hostile.example.com/v1","kind":"Thing","metadata":{"name":"a"},"spec":${spec}}`;
const configMap = (data: string) => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":${data}}`;

describe('hostile requests to an API server', () => {
  let server: ApiServer;

  beforeEach(async () => {
    server = await ApiServer.create({ controllers: false });
  });

  afterEach(() => server.close());

  /** Sends a request that must be handled in time, and checks that the server still works afterwards. */
  async function send(
    method: 'POST' | 'PUT' | 'PATCH',
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer> {
    const inherited = Reflect.ownKeys(Object.prototype);
    const started = process.cpuUsage();
    const heap = process.memoryUsage().heapUsed;
    const answer = await request(server.transport(), method, path, body, headers);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(20);
    expect((process.memoryUsage().heapUsed - heap) / 1e6).toBeLessThan(1000);
    expect(Reflect.ownKeys(Object.prototype)).toEqual(inherited);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect((await request(server.transport(), 'GET', '/readyz')).status).toBe(200);
    return answer;
  }

  /** Creates a valid definition, and waits until its kind is served. */
  async function define(spec: object): Promise<void> {
    expect((await send('POST', crds, definition(spec))).status).toBe(201);
    while ((await request(server.transport(), 'GET', things)).status === 404);
  }

  it('keep __proto__ as an ordinary key when it is stored and read back', async () => {
    await define(anything);
    const spec = '{"__proto__":{"polluted":1},"a":{"constructor":{"prototype":{"polluted":2}}}}';
    expect((await send('POST', things, thing(spec))).status).toBe(201);
    const stored = await request(server.transport(), 'GET', `${things}/a`);
    expect(JSON.stringify(stored.body.spec)).toBe(spec);
    expect((await send('POST', configMaps, configMap('{"__proto__":"x","constructor":"y"}'))).status).toBe(201);
    const { body } = await request(server.transport(), 'GET', `${configMaps}/a`);
    expect(JSON.stringify(body.data)).toBe('{"__proto__":"x","constructor":"y"}');
  });

  it.each([
    [
      'a merge patch',
      'application/merge-patch+json',
      '{"spec":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
    ],
    [
      'a JSON patch',
      'application/json-patch+json',
      '[{"op":"add","path":"/spec/__proto__/polluted","value":1},{"op":"add","path":"/spec/constructor/prototype/polluted","value":1}]',
    ],
    ['an apply', 'application/apply-patch+yaml', thing('{"__proto__":{"polluted":1}}')],
  ])('cannot change a prototype with %s', async (_, contentType, body) => {
    await define(anything);
    await send('POST', things, thing('{"a":1}'));
    const query = contentType.includes('apply') ? '?fieldManager=test&force=true' : '';
    const { status } = await send('PATCH', `${things}/a${query}`, body, { 'content-type': contentType });
    expect(status).toBeLessThan(500);
  });

  it.each([
    ['objects', '{"a":', '1', '}'],
    ['lists', '[', '', ']'],
  ])('with 10,000 or 100,000 levels of %s are rejected', async (_, open, middle, close) => {
    await define(anything);
    for (const depth of [10_001, 100_000]) {
      const value = `${open.repeat(depth)}${middle}${close.repeat(depth)}`;
      for (const [path, body] of [
        [things, thing(`{"v":${value}}`)],
        [configMaps, configMap(value)],
        [crds, JSON.stringify(definition({ ...anything, default: { v: 'X' } })).replace('"X"', value)],
      ] as const) {
        expect((await send('POST', path, body)).status).toBe(400);
        expect((await send('POST', path, body, yaml)).status).toBe(400);
      }
      expect((await send('PATCH', `${things}/b?fieldManager=t`, thing(`{"v":${value}}`), apply)).status).toBe(400);
      await send('POST', things, thing('{}'));
      const merge = { 'content-type': 'application/merge-patch+json' };
      expect((await send('PATCH', `${things}/a`, `{"spec":{"v":${value}}}`, merge)).status).toBe(400);
    }
  });

  it('with 2,000 levels are accepted and returned', async () => {
    await define(anything);
    const spec = `{"v":${'['.repeat(1990)}${']'.repeat(1990)}}`;
    expect((await send('POST', things, thing(spec))).status).toBe(201);
    const labelled = await send('PATCH', `${things}/a`, '{"metadata":{"labels":{"a":"b"}}}', {
      'content-type': 'application/merge-patch+json',
    });
    expect(labelled.status).toBe(200);
    const { body } = await request(server.transport(), 'GET', `${things}/a`);
    expect(JSON.stringify(body.spec)).toBe(spec);
  });

  it('with patches that copy their own copies are rejected', async () => {
    await define(anything);
    await send('POST', things, thing('{"a":{"v":"lol"}}'));
    const copies = Array.from({ length: 100 }, (_, i) => ({ op: 'copy', from: '/spec', path: `/spec/k${i}` }));
    const headers = { 'content-type': 'application/json-patch+json' };
    const { status } = await send('PATCH', `${things}/a`, copies, headers);
    expect([400, 413, 422]).toContain(status);
  });

  it('with 4,000 levels of schema are rejected', async () => {
    let schema = '{"type":"string"}';
    for (let i = 0; i < 4000; i++) schema = `{"type":"object","properties":{"a":${schema}}}`;
    const { status } = await send(
      'POST',
      crds,
      JSON.stringify(definition(anything)).replace(JSON.stringify(anything), schema),
    );
    expect([400, 422]).toContain(status);
  });

  it('of 50 MB are rejected unread', async () => {
    const long = JSON.stringify('x'.repeat(50_000_000));
    for (const headers of [{}, yaml]) {
      expect((await send('POST', configMaps, configMap(`{"a":${long}}`), headers)).status).toBe(413);
      expect((await send('POST', crds, `{"a":${long}}`, headers)).status).toBe(413);
    }
    expect((await send('PATCH', `${configMaps}/a?fieldManager=t`, configMap(`{"a":${long}}`), apply)).status).toBe(413);
  });

  it.each([
    ['of lists', (name: string, next: string) => `${name}: &${name} [${`*${next},`.repeat(9)}]`],
    [
      'of maps',
      (name: string, next: string) =>
        `${name}: &${name} {${[...'abcdefghi'].map((key) => `${key}: *${next}`).join(', ')}}`,
    ],
    ['of merges', (name: string, next: string) => `${name}: &${name} {<<: [${`*${next},`.repeat(9)}], x: *${next}}`],
  ])('that grow by YAML aliases %s are rejected', async (_, level) => {
    await define(anything);
    const names = [...'abcdefghijklmnopqrst'].map((letter) => `${letter}${letter}`);
    const levels = names.slice(1).map((name, i) => `  ${level(name, names[i] ?? '')}`);
    const body = `apiVersion: hostile.example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec:\n  aa: &aa {v: lol}\n${levels.join('\n')}\n`;
    expect((await send('POST', things, body, yaml)).status).toBe(400);
    expect((await send('PATCH', `${things}/a?fieldManager=t`, body, apply)).status).toBe(400);
  });

  it('with paths of a million slashes are rejected', async () => {
    const slashes = '/'.repeat(500_000);
    for (const path of [`/${slashes}a`, `/api/v1${slashes}nodes`, `/.well-known${slashes}a`, `${things}${slashes}a`]) {
      expect([400, 404, 405]).toContain((await send('POST', path, '{}')).status);
    }
  });

  it('with a million equal characters before the end of a text get a response', async () => {
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    const rules = [{ verbs: ['get'], nonResourceURLs: [`/${'*'.repeat(500_000)}b*`] }];
    await send('POST', roles, { metadata: { name: 'stars' }, rules });
    const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'eve' }];
    const roleRef = { kind: 'ClusterRole', apiGroup: 'rbac.authorization.k8s.io', name: 'stars' };
    await send('POST', roles.replace('roles', 'rolebindings'), { metadata: { name: 'stars' }, subjects, roleRef });
    const asked = process.cpuUsage();
    const asEve = server.transport({ name: 'eve', groups: [] });
    expect((await request(asEve, 'GET', '/metrics/a')).status).toBe(403);
    expect(process.cpuUsage(asked).user / 1e6).toBeLessThan(5);
    await send('POST', configMaps, { metadata: { name: 'b' }, binaryData: { a: `${'\n'.repeat(500_000)}!` } });
    const columns = [{ name: 'A', type: 'string', jsonPath: `.spec['a',${' '.repeat(500_000)}'b']` }];
    const spaces = JSON.parse(JSON.stringify(definition(anything))) as { spec: { versions: object[] } };
    spaces.spec.versions = spaces.spec.versions.map((version) => ({ ...version, additionalPrinterColumns: columns }));
    await send('POST', crds, spaces);
  });

  it('in YAML with duplicate keys are rejected with strict validation', async () => {
    const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b, a: c}\n';
    expect((await send('POST', `${configMaps}?fieldValidation=Strict`, body, yaml)).status).toBe(400);
  });

  it('in YAML with __proto__ and merges of it do not change a prototype', async () => {
    await define(anything);
    const body = `${thing('{}').replace('"a"', '"a"').slice(0, -4)}{ <<: { __proto__: { polluted: 1 } }, b: { __proto__: { polluted: 1 } } }}`;
    expect((await send('POST', things, body, yaml)).status).toBeLessThan(500);
  });

  it('are validated in time against patterns with exponential backtracking', async () => {
    await define({ type: 'object', properties: { a: { type: 'string', pattern: '^((a+)+)+$' } } });
    const answer = await send('POST', things, thing(JSON.stringify({ a: `${'a'.repeat(1_000_000)}!` })));
    expect(answer.status).toBe(422);
  });

  it('with rules of unbounded cost are rejected', async () => {
    await define({
      type: 'object',
      properties: { a: { type: 'array', maxItems: 10, items: { type: 'integer' } } },
      'x-kubernetes-validations': [{ rule: 'self.a.all(x, self.a.all(y, self.a.all(z, x + y + z > -1)))' }],
    });
    const a = Array.from({ length: 10 }, (_, i) => i);
    expect((await send('POST', things, thing(JSON.stringify({ a })))).status).toBe(201);
    const unlimited = definition({
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'integer' } } },
      'x-kubernetes-validations': [{ rule: 'self.a.all(x, self.a.all(y, x + y > -1))' }],
    });
    expect((await send('POST', crds, unlimited)).status).toBe(422);
  });

  it('that defaults would make enormous are rejected', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [`k${i}`, { ...text, default: 'x'.repeat(500) }]),
    );
    await define({ type: 'object', properties: { a: { type: 'array', items: { type: 'object', properties } } } });
    expect((await send('POST', things, thing(JSON.stringify({ a: new Array(100_000).fill({}) })))).status).toBe(400);
  });

  it.each([
    ['a property that is null', { type: 'object', properties: { a: null } }, 422],
    ['nulls below items', { type: 'array', items: { type: 'object', properties: { a: null } } }, 422],
    ['a string for items', { type: 'array', items: 'x' }, 422],
    ['strings for schemas below items', { type: 'array', items: { type: 'object', properties: { a: 'x' } } }, 400],
    ['a number for the type of items', { type: 'array', items: { type: 5 } }, 400],
    ['a number for additionalProperties', { type: 'object', additionalProperties: 5 }, 400],
  ])('that define a schema with %s are rejected', async (_, schema, status) => {
    expect((await send('POST', crds, definition(schema))).status).toBe(status);
  });
});
