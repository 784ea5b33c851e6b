import { statusCauseOf } from '@evenkeel/apimachinery/field-error';
import { compareVersions } from '@evenkeel/core';
import {
  describeWithRealServer,
  type RealAnswer,
  type RealServer,
  startRealServer,
} from '../../../../test/real-server.fixture.ts';
import { apiResourceList } from '../discovery/legacy-discovery.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { DefinitionStatus } from './custom-definition.ts';
import { customServedResource } from './custom-discovery.ts';
import { DefinitionServer, definitionOf, withoutTimes } from './definition-server.fixture.ts';
import { printedColumns, printedSpecs } from './printed-objects.fixture.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const asTable = 'application/json;as=Table;g=meta.k8s.io;v=v1';

describeWithRealServer('custom kinds', () => {
  let real: RealServer;
  let ours: DefinitionServer;
  beforeAll(async () => {
    real = await startRealServer();
  });
  beforeEach(() => {
    ours = new DefinitionServer();
  });
  afterAll(() => real.stop());

  /** Creates a definition in both servers and waits until the real server has accepted or rejected its names. */
  async function define(definition: ApiObject): Promise<void> {
    succeeded(await real.send('POST', definitions, { body: definition }));
    await ours.create(definition);
    const expected = ours.status(definition.metadata.name);
    await eventually(async () => {
      expect(withoutTimes((await realDefinition(definition.metadata.name))['status'] as DefinitionStatus)).toEqual(
        expected,
      );
    });
  }

  async function realDefinition(name: string): Promise<ApiObject> {
    return (await real.send('GET', `${definitions}/${name}`)).body as ApiObject;
  }

  /** Creates an object once the kind is served. */
  async function createObject(path: string, body: object, query = ''): Promise<RealAnswer> {
    await eventually(async () => expect((await real.send('GET', path)).status).toBe(200));
    return real.send('POST', `${path}${query}`, { body });
  }

  it('are printed as by the real server', async () => {
    await define(definitionOf('printeds', 'Printed', { version: { additionalPrinterColumns: printedColumns } }));
    const path = '/apis/stable.example.com/v1/namespaces/default/printeds';
    for (const [index, spec] of printedSpecs.entries()) {
      const metadata = { name: `printed-${String(index).padStart(2, '0')}` };
      succeeded(await createObject(path, { apiVersion: 'stable.example.com/v1', kind: 'Printed', metadata, ...spec }));
    }
    const list = (await real.send('GET', path)).body.items as ApiObject[];
    const table = (await real.send('GET', path, { accept: asTable })).body;
    const printer = await ours.served.get('printeds.stable.example.com')?.[0]?.printer();
    const [name, ...columns] = table.columnDefinitions;
    expect(printer?.columns.map((column) => ({ ...column, format: column.format ?? '' }))).toEqual([
      { ...name, description: undefined },
      ...columns,
    ]);
    const rows = list.map((object) => printer?.cells(object, Date.now()));
    expect(rows).toEqual(table.rows.map(({ cells }: { cells: unknown[] }) => cells));
  });

  it('are printed with an age if they define no columns', async () => {
    await define(definitionOf('plains', 'Plain'));
    const path = '/apis/stable.example.com/v1/namespaces/default/plains';
    await eventually(async () => expect((await real.send('GET', path)).status).toBe(200));
    const { columnDefinitions } = (await real.send('GET', path, { accept: asTable })).body;
    const shape = (columns: readonly { name: string; type: string }[] | undefined) =>
      columns?.map(({ name, type }) => ({ name, type }));
    const printer = await ours.served.get('plains.stable.example.com')?.[0]?.printer();
    expect(shape(printer?.columns)).toEqual(shape(columnDefinitions));
  });

  it('get their names accepted, rejected and released as by the real server', async () => {
    const group = 'names.example.com';
    await define(definitionOf('firsts', 'First', { group, names: { shortNames: ['f', 'fi'], categories: ['all'] } }));
    await define(
      definitionOf('seconds', 'First', { group, names: { singular: 'firsts', shortNames: ['f', 'fi', 's'] } }),
    );
    await define(definitionOf('fi', 'Third', { group }));
    await define(definitionOf('fourths', 'FirstList', { group, names: { listKind: 'Fourths' } }));
    await define(definitionOf('fifths', 'Fifth', { group, names: { shortNames: ['f'] } }));

    const freed = 'freed.example.com';
    await define(definitionOf('holders', 'Holder', { group: freed, names: { shortNames: ['h'] } }));
    await define(definitionOf('waiters', 'Waiter', { group: freed, names: { shortNames: ['h'] } }));
    succeeded(await real.send('DELETE', `${definitions}/holders.${freed}`));
    await ours.delete(`holders.${freed}`);
    const expected = ours.status(`waiters.${freed}`);
    await eventually(async () => {
      const { status } = await realDefinition(`waiters.${freed}`);
      expect(withoutTimes(status as DefinitionStatus)).toEqual(expected);
    });
  });

  it('appear in discovery as on the real server', async () => {
    const group = 'shown.example.com';
    const definition = definitionOf('crontabs', 'CronTab', {
      group,
      names: { shortNames: ['ct'], categories: ['all', 'cron'] },
    });
    const spec = definition['spec'] as { versions: object[] };
    const [v1] = spec.versions;
    const subresources = {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    };
    spec.versions = [
      { ...v1, name: 'v1beta1', storage: false, deprecated: true },
      { ...v1, subresources },
      { ...v1, name: 'v2', served: false, storage: false },
    ];
    await define(definition);
    const kinds = [...ours.served.values()].flat();
    for (const version of [...new Set(kinds.map(({ names }) => names.version))].sort(compareVersions)) {
      const resources = kinds.filter(({ names }) => names.version === version).map(customServedResource);
      const expected = apiResourceList(group, { version, resources });
      await eventually(async () =>
        expect((await real.send('GET', `/apis/${group}/${version}`)).body).toEqual(expected),
      );
    }
    const answer = await createObject(`/apis/${group}/v1beta1/namespaces/default/crontabs`, {
      apiVersion: `${group}/v1beta1`,
      kind: 'CronTab',
      metadata: { name: 'old' },
    });
    succeeded(answer);
    const old = kinds.find(({ names }) => names.version === 'v1beta1');
    expect(answer.headers['warning']).toContain(old?.deprecationWarning);
  });

  it('are stored or rejected as by the real server', async () => {
    const group = 'checked.example.com';
    const schema = {
      'x-kubernetes-preserve-unknown-fields': undefined,
      properties: {
        spec: {
          type: 'object',
          properties: {
            replicas: { type: 'integer', default: 1 },
            gone: { type: 'string' },
            nullable: { type: 'string', nullable: true },
            list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
            limit: { type: 'integer', maximum: 5 },
          },
        },
        status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } },
      },
    };
    const scale = {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.status.selector',
    };
    await define(definitionOf('checkeds', 'Checked', { group, schema, version: { subresources: { scale } } }));
    const codec = await ours.served.get(`checkeds.${group}`)?.[0]?.codec();
    if (codec === undefined) throw new Error('the kind is not served');
    const path = `/apis/${group}/v1/namespaces/default/checkeds`;
    const bodies = [
      { spec: {} },
      { spec: { gone: null, nullable: null, list: [{ a: 'x', b: 1 }, { c: 1 }], none: { deep: 1 } }, more: 1 },
      {
        metadata: {
          name: 'x',
          unknown: 1,
          labels: { a: 'b' },
          ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u', odd: 1 }],
        },
      },
      { spec: { replicas: -1, limit: 7 } },
      { spec: { replicas: 3_000_000_000 }, status: { replicas: -2, selector: 'a=b' } },
      { spec: { replicas: 'three' }, status: { replicas: true, selector: 5 } },
      { spec: 'text', status: { selector: ['x'] } },
    ];
    for (const [index, body] of bodies.entries()) {
      const object = {
        apiVersion: `${group}/v1`,
        kind: 'Checked',
        ...body,
        metadata: { ...body.metadata, name: `checked-${index}` },
      };
      const stored = await createObject(path, object);
      const { object: decoded, strictErrors } = codec.decode(structuredClone(object));
      if (strictErrors.length > 0) {
        const strict = await createObject(
          path,
          { ...object, metadata: { ...object.metadata, name: 'strict' } },
          '?fieldValidation=Strict',
        );
        expect(strict.body.message).toContain(`strict decoding error: ${strictErrors.join(', ')}`);
      }
      const errors = codec.validate(decoded, undefined, [], false);
      if (errors.length > 0) {
        // The server checks members in random order.
        expect(inOrder(errors.map(statusCauseOf))).toEqual(inOrder(stored.body.details.causes));
      } else expect({ ...decoded, metadata: undefined }).toEqual({ ...stored.body, metadata: undefined });
    }
  });

  it('are deleted with their definition as by the real server', async () => {
    const group = 'deleted.example.com';
    await define(definitionOf('crontabs', 'CronTab', { group }));
    const name = `crontabs.${group}`;
    const path = `/apis/${group}/v1/namespaces/default/crontabs`;
    const object = {
      apiVersion: `${group}/v1`,
      kind: 'CronTab',
      metadata: { name: 'held', finalizers: ['example.com/held'] },
    };
    succeeded(await createObject(path, object));
    ours.store.put(`${group}/crontabs`, 'default', 'held', object);
    succeeded(await real.send('DELETE', `${definitions}/${name}`));
    await ours.delete(name);
    await eventually(async () => {
      const { metadata, status } = await realDefinition(name);
      const { generation, finalizers, deletionGracePeriodSeconds } = metadata;
      const mine = ours.definition(name).metadata;
      expect(withoutTimes(status as DefinitionStatus)).toEqual(ours.status(name));
      expect({ generation, finalizers, deletionGracePeriodSeconds }).toEqual({
        generation: mine.generation,
        finalizers: mine.finalizers,
        deletionGracePeriodSeconds: mine.deletionGracePeriodSeconds,
      });
    });
    const served = ours.served.get(name)?.map(customServedResource);
    await eventually(async () => {
      const { resources } = (await real.send('GET', `/apis/${group}/v1`)).body;
      expect(resources[0].verbs).toEqual(served?.[0]?.verbs);
    });
  });
});

function succeeded({ status, text }: RealAnswer): void {
  expect({ status: status < 300 ? 'success' : status, text: status < 300 ? '' : text }).toEqual({
    status: 'success',
    text: '',
  });
}

/** Repeats a check until it passes, because upstream's controllers are asynchronous. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 90_000;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

function inOrder(causes: readonly unknown[]): string[] {
  return causes.map((cause) => JSON.stringify(cause, ['reason', 'message', 'field'])).sort();
}
