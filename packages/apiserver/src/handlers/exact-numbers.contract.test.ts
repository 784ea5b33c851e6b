import type { Transport, TransportRequest } from '@evenkeel/core';
import { type ApiBackend, describeOnEveryServer } from '../../../../test/api-backend.fixture.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

const rule = { rule: 'self < 9007199254740993', message: 'too large' };
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'numbers.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Number', plural: 'numbers', singular: 'number', listKind: 'NumberList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'Int64', type: 'integer', jsonPath: '.int64' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              integer: { type: 'integer' },
              int64: { type: 'integer', format: 'int64' },
              int32: { type: 'integer', format: 'int32' },
              number: { type: 'number' },
              float: { type: 'number', format: 'float' },
              intOrString: { 'x-kubernetes-int-or-string': true },
              any: { 'x-kubernetes-preserve-unknown-fields': true },
              small: { type: 'integer', maximum: 4_000_000_000 },
              ruled: { type: 'integer', 'x-kubernetes-validations': [rule] },
              choice: { type: 'integer', enum: [1, 2] },
              set: { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
            },
          },
        },
      },
    ],
  },
};

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const numbers = '/apis/example.com/v1/namespaces/default/numbers';
const head = '"apiVersion":"example.com/v1","kind":"Number"';

describeOnEveryServer('numbers', tests, { embedded: 'in process' });

function tests(start: () => Promise<ApiBackend>): void {
  let server: ApiBackend;
  let transport: Transport;

  beforeAll(async () => {
    server = await start();
    transport = server.transport();
    expect((await send('POST', definitions, JSON.stringify(definition))).status).toBe(201);
    // The real server needs a moment.
    let isServed = false;
    while (!isServed) isServed = (await send('GET', numbers)).status === 200;
  });
  afterAll(() => server?.stop());

  async function send(
    method: TransportRequest['method'],
    path: string,
    body?: string,
    contentType = 'application/json',
    accept = 'application/json',
  ): Promise<Answer> {
    const headers = { accept, 'content-type': contentType };
    const response = await transport.request({ method, path, headers, ...(body !== undefined && { body }) });
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body) pieces.push(piece);
    return { status: response.status, text: Buffer.concat(pieces).toString() };
  }

  const create = (field: string, literal: string): Promise<Answer> =>
    send('POST', `${numbers}?dryRun=All`, `{${head},"metadata":{"name":"a"},"${field}":${literal}}`);
  const written = (text: string, field: string): string | undefined =>
    new RegExp(`"${field}":(-?[\\d.e+-]+|\\[[^\\]]*\\])`).exec(text)?.[1];

  const largest = '9223372036854775807';
  const smallest = '-9223372036854775808';

  it.each(['integer', 'int64', 'number', 'float', 'intOrString', 'any'])('keep their digits in %s', async (field) => {
    for (const literal of ['9007199254740993', '-9007199254740993', largest, smallest, '9007199254740992', '0', '-1']) {
      const { status, text } = await create(field, literal);
      expect([literal, status, written(text, field)]).toEqual([literal, 201, literal]);
    }
  });

  it.each<[string, string]>([
    ['9223372036854775808', '9223372036854776000'],
    ['-9223372036854775809', '-9223372036854776000'],
    ['123456789012345678901234567890', '1.2345678901234568e+29'],
    ['1e20', '100000000000000000000'],
    ['1e21', '1e+21'],
    ['1.0', '1'],
    ['-0', '0'],
    ['1e2', '100'],
    ['1e-7', '1e-7'],
    ['1e-400', '0'],
    ['5e-324', '5e-324'],
    ['0.1000000000000000055', '0.1'],
    ['12345678901234567.0', '12345678901234568'],
  ])('become floats if they are no int64: %s', async (literal, expected) => {
    for (const field of ['number', 'any']) {
      const { status, text } = await create(field, literal);
      expect([status, written(text, field)]).toEqual([201, expected]);
    }
  });

  it.each<[string, string, string]>([
    ['integer', '9223372036854775808', 'integer in body must be of type integer: \\"number\\"'],
    ['integer', '-9223372036854775809', 'integer in body must be of type integer: \\"number\\"'],
    ['int64', '9223372036854775808', 'int64 in body must be of type int64: \\"float64\\"'],
    ['int32', '9007199254740993', 'Checked value must be of type integer with format int32 in int32'],
    ['int32', largest, 'Checked value must be of type integer with format int32 in int32'],
    ['intOrString', '1e20', 'intOrString in body must be of type integer,string: \\"number\\"'],
    [
      'small',
      '9007199254740993',
      'small: Invalid value: 9007199254740993: small in body should be less than or equal to 4000000000',
    ],
    ['ruled', '9007199254740993', 'ruled: Invalid value: 9007199254740993: too large'],
    ['ruled', largest, `ruled: Invalid value: ${largest}: too large`],
    ['choice', '9007199254740993', 'choice: Unsupported value: 9007199254740993: supported values: \\"1\\", \\"2\\"'],
  ])('are validated exactly: %s of %s', async (field, literal, message) => {
    const { status, text } = await create(field, literal);
    expect([status, text]).toEqual([422, expect.stringContaining(message)]);
  });

  it('are compared exactly by rules', async () => {
    for (const [literal, status] of [
      ['9007199254740992', 201],
      ['9007199254740993', 422],
      [smallest, 201],
    ] as const) {
      expect([literal, (await create('ruled', literal)).status]).toEqual([literal, status]);
    }
  });

  it.each(['1e400', '-1e400', '1e5000', '123e308'])('are rejected if they are no float64: %s', async (literal) => {
    for (const field of ['integer', 'number', 'any']) {
      const { status, text } = await create(field, literal);
      const why = `json: cannot unmarshal number ${literal} into Go value of type float64`;
      expect([status, JSON.parse(text).message]).toEqual([
        400,
        `Number in version "v1" cannot be handled as a Number: ${why}`,
      ]);
    }
  });

  describe('in stored objects', () => {
    const path = `${numbers}/stored`;
    const patch = (type: string, body: string): Promise<Answer> =>
      send(
        'PATCH',
        `${path}${type.startsWith('apply') ? '?fieldManager=test&force=true' : ''}`,
        body,
        `application/${type}`,
      );

    beforeEach(async () => {
      const body = `{${head},"metadata":{"name":"stored"},"int64":9007199254740993,"any":{"a":9007199254740995}}`;
      expect((await send('POST', numbers, body)).status).toBe(201);
    });
    afterEach(() => send('DELETE', path));

    it('keep their digits in get, list, watch, YAML and pretty output', async () => {
      expect(written((await send('GET', path)).text, 'int64')).toBe('9007199254740993');
      expect(written((await send('GET', numbers)).text, 'int64')).toBe('9007199254740993');
      const watch = `${numbers}?watch=1&timeoutSeconds=1&resourceVersion=0`;
      expect(written((await send('GET', watch)).text, 'int64')).toBe('9007199254740993');
      const yaml = await send('GET', path, undefined, undefined, 'application/yaml');
      expect(yaml.text).toContain('int64: 9007199254740993\n');
      expect((await send('GET', `${path}?pretty=1`)).text).toContain('"int64": 9007199254740993');
    });

    it('keep their digits in the columns of a Table', async () => {
      const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
      const { text } = await send('GET', path, undefined, undefined, table);
      expect(text).toContain('"cells":["stored",9007199254740993]');
    });

    it('are changed by merge patches', async () => {
      const { text } = await patch('merge-patch+json', '{"int64":9007199254740997,"any":{"b":9007199254740999}}');
      expect(written(text, 'int64')).toBe('9007199254740997');
      expect(text).toMatch(/"any":\{"a":9007199254740995,"b":9007199254740999\}/);
      const { metadata } = JSON.parse(text);
      const same = await patch('merge-patch+json', '{"int64":9007199254740997}');
      expect(JSON.parse(same.text).metadata.resourceVersion).toBe(metadata.resourceVersion);
      const next = await patch('merge-patch+json', '{"int64":9007199254740998}');
      expect(JSON.parse(next.text).metadata.generation).toBe(metadata.generation + 1);
    });

    it('are tested, copied and replaced by JSON patches', async () => {
      const { status, text } = await patch(
        'json-patch+json',
        `[{"op":"test","path":"/int64","value":9007199254740993},{"op":"replace","path":"/int64","value":${largest}},
          {"op":"copy","from":"/any/a","path":"/any/b"}]`,
      );
      expect([status, written(text, 'int64')]).toEqual([200, largest]);
      expect(text).toMatch(/"any":\{"a":9007199254740995,"b":9007199254740995\}/);
      const failed = await patch('json-patch+json', '[{"op":"test","path":"/int64","value":9223372036854775806}]');
      expect(failed.status).toBe(422);
    });

    it.each<[string, string, string]>([
      ['merge-patch+json', '{"any":{"b":1e400}}', 'value'],
      ['json-patch+json', '[{"op":"add","path":"/any/b","value":1e400}]', 'struct field jsonPatchOp.value'],
    ])('are rejected in a %s if they are no float64', async (type, body, where) => {
      const { status, text } = await patch(type, body);
      const why = `json: cannot unmarshal number 1e400 into Go ${where} of type float64`;
      expect([status, JSON.parse(text).message]).toEqual([400, `error decoding patch: ${why}`]);
    });

    it('are applied from JSON and YAML, and are elements of sets', async () => {
      const json = await patch('apply-patch+yaml', `{${head},"metadata":{"name":"stored"},"int64":9007199254740997}`);
      expect([json.status, written(json.text, 'int64')]).toEqual([200, '9007199254740997']);
      const yaml = await patch(
        'apply-patch+yaml',
        'apiVersion: example.com/v1\nkind: Number\nmetadata: {name: stored}\nset: [9007199254740993, 9007199254740994]\nany: {c: 9223372036854775807}\n',
      );
      expect([yaml.status, written(yaml.text, 'set')]).toEqual([200, '[9007199254740993,9007199254740994]']);
      expect(yaml.text).toContain('"c":9223372036854775807');
      expect(yaml.text).toContain('"v:9007199254740993":{},"v:9007199254740994":{}');
    });
  });

  describe('in built-in kinds', () => {
    const deployment = (literal: string): Promise<Answer> =>
      send(
        'POST',
        '/apis/apps/v1/namespaces/default/deployments?dryRun=All',
        `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{"replicas":${literal},"selector":{"matchLabels":{"a":"b"}},
          "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`,
      );
    const pod = (literal: string): Promise<Answer> =>
      send(
        'POST',
        '/api/v1/namespaces/default/pods?dryRun=All',
        `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}],
          "tolerations":[{"key":"a","operator":"Exists","effect":"NoExecute","tolerationSeconds":${literal}}]}}`,
      );

    it.each(['2147483648', '-2147483649', '9007199254740993', '9223372036854775808', '1.5'])(
      'are rejected if they are no int32: %s',
      async (literal) => {
        const { status, text } = await deployment(literal);
        const shown = `number ${literal} into Go struct field DeploymentSpec.spec.replicas of type int32`;
        expect([status, JSON.parse(text).message]).toEqual([
          400,
          `Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal ${shown}`,
        ]);
      },
    );

    it('keep their digits in an int64', async () => {
      for (const literal of ['9007199254740993', largest, smallest]) {
        const { status, text } = await pod(literal);
        expect([status, written(text, 'tolerationSeconds')]).toEqual([201, literal]);
      }
    });

    it.each(['9223372036854775808', '1.5'])('are rejected if they are no int64: %s', async (literal) => {
      const { status, text } = await pod(literal);
      const shown = `number ${literal} into Go struct field Toleration.spec.tolerations.tolerationSeconds of type int64`;
      expect([status, JSON.parse(text).message]).toEqual([
        400,
        `Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal ${shown}`,
      ]);
    });

    it.each(['2147483648', '9007199254740993', '9223372036854775808', '1.5'])(
      'are rejected in an int or string if they are no int32: %s',
      async (literal) => {
        const { status, text } = await send(
          'POST',
          '/api/v1/namespaces/default/services?dryRun=All',
          `{"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{"ports":[{"port":1,"targetPort":${literal}}]}}`,
        );
        const shown = `number ${literal} into Go struct field ServicePort.spec.ports.targetPort of type int32`;
        expect([status, JSON.parse(text).message]).toEqual([
          400,
          `Service in version "v1" cannot be handled as a Service: json: cannot unmarshal ${shown}`,
        ]);
      },
    );

    it('are rejected if they are no float64, without a result', async () => {
      expect([(await deployment('1e400')).status, (await pod('1e400')).status]).toEqual([400, 400]);
    });

    describe('that are patched', () => {
      const deployments = '/apis/apps/v1/namespaces/default/deployments';
      const [merge, json, strategic] = ['merge', 'json', 'strategic-merge'] as const;
      const patchOf = (type: string, literal: string): string =>
        type === json
          ? `[{"op":"add","path":"/spec/replicas","value":${literal}}]`
          : `{"spec":{"replicas":${literal}}}`;
      const patch = async (type: string, body: string, query = ''): Promise<readonly [number, string]> => {
        const path = `${deployments}/patched${query}`;
        const suffix = type === json ? 'json-patch+json' : `${type}-patch+json`;
        const { status, text } = await send('PATCH', path, body, `application/${suffix}`);
        return [status, JSON.parse(text).message?.replace(/Invalid value: ".*": /s, '') ?? written(text, 'replicas')];
      };
      const notInt32 = (literal: string): string =>
        ` "" is invalid: patch: json: cannot unmarshal number ${literal} into Go struct field DeploymentSpec.spec.replicas of type int32`;

      beforeAll(async () => {
        const body = `{"metadata":{"name":"patched"},"spec":{"replicas":1,"selector":{"matchLabels":{"a":"b"}},
          "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`;
        expect((await send('POST', deployments, body)).status).toBe(201);
      });

      it.each([
        ...['2.0', '2e0', '20e-1', '-0.0', '1E1', '99999999999999999999'].flatMap((literal) =>
          [merge, json].map((type): [string, string, number, string] => [type, literal, 422, notInt32(literal)]),
        ),
        // Go converts the result of a strategic patch, and drops the digits that do not fit.
        ...[['2.0', '2'] as const, ['9007199254740993', '1'] as const, ['99999999999999999999', '0'] as const].map(
          ([literal, kept]): [string, string, number, string] => [strategic, literal, 200, kept],
        ),
        [strategic, '1e400', 400, 'json: cannot unmarshal number 1e400 into Go value of type float64'],
      ])('are decoded as they are written in a %s patch: %s', async (type, literal, status, message) => {
        expect(await patch(type, patchOf(type, literal))).toEqual([status, message]);
      });

      it.each([
        [merge, patchOf(merge, '1e400'), 422, notInt32('1e400')],
        [json, patchOf(json, '1e400'), 422, notInt32('1e400')],
        [merge, '{"spec":', 400, 'Invalid JSON Patch'],
        [merge, '1', 400, 'Invalid JSON Patch'],
        [json, '{"spec":', 400, 'unexpected end of JSON input'],
        [json, '{}', 400, 'json: cannot unmarshal object into Go value of type jsonpatch.Patch'],
        [json, '[1]', 400, 'json: cannot unmarshal number into Go value of type jsonpatch.Operation'],
        [json, '[{"op":1}]', 422, 'the server rejected our request due to an error in our request'],
      ])(
        'and that %s patches contain are decoded later without validation: %s',
        async (type, body, status, message) => {
          expect(await patch(type, body, '?fieldValidation=Ignore')).toEqual([status, message]);
        },
      );

      it('are compared as texts by a test', async () => {
        const test = (literal: string): string =>
          `[{"op":"test","path":"/spec/template/spec/terminationGracePeriodSeconds","value":${literal}}]`;
        const statuses = [];
        for (const literal of ['30', '30.0', '3e1']) statuses.push((await patch(json, test(literal)))[0]);
        expect(statuses).toEqual([200, 422, 422]);
      });

      it('are reported in the order of their keys', async () => {
        const [, message] = await patch(merge, '{"spec":{"replicas":3e9,"minReadySeconds":1e20}}');
        expect(message).toContain('number 1e20 into Go struct field DeploymentSpec.spec.minReadySeconds');
      });
    });

    it('are rejected as strings', async () => {
      const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":9007199254740993}}';
      const { status, text } = await send('POST', '/api/v1/namespaces/default/configmaps', body);
      expect([status, JSON.parse(text).message]).toEqual([
        400,
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
      ]);
    });
  });
}
