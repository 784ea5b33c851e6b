import { CustomResource, KubernetesObject, PrinterColumn, Scale, SelectableField, Spec, Status } from '@evenkeel/core';
import { customResourceDefinitionYaml, generateCustomResourceDefinitions } from '@evenkeel/schema';
import { IsIn, IsInt, IsOptional, IsString, Min } from 'class-validator';
import { parse } from 'yaml';
import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, realServer } from '../comparison.fixture.ts';

class ShirtSpec {
  @IsIn(['blue', 'red']) color = 'blue';
  @IsInt() @Min(0) stock = 0;
  @IsOptional() @IsString() note?: string;
}

class ShirtStatus {
  @IsOptional() @IsInt() sold?: number;
}

const group = 'shop.example.com';

@CustomResource({
  group,
  version: 'v1',
  kind: 'Shirt',
  storage: true,
  shortNames: ['sh'],
  labels: { 'example.com/team': 'web' },
  annotations: { 'example.com/owner': 'The web team.' },
})
@PrinterColumn({ name: 'Color', type: 'string', jsonPath: '.spec.color' })
@PrinterColumn({ name: 'Sold', type: 'integer', jsonPath: '.status.sold', priority: 1 })
@SelectableField('.spec.color')
@SelectableField('.spec.stock')
@Scale({ specReplicasPath: '.spec.stock', statusReplicasPath: '.status.sold' })
class Shirt extends KubernetesObject {
  @Spec() spec!: ShirtSpec;
  @Status() status!: ShirtStatus;
}

class OldShirtSpec {
  @IsString() color = 'blue';
}

@CustomResource({
  ...{ group, version: 'v1beta1', kind: 'Shirt', served: false },
  lossy: { versions: { 'spec.color': 'it was free', 'spec.stock': 'no limit', 'status.sold': 'no limit' } },
})
class ShirtV1beta1 extends KubernetesObject {
  @Spec() spec!: OldShirtSpec;
}

const warning = 'shop.example.com/v1alpha1 Shirt is gone in 2027; use v1';

@CustomResource({
  group,
  version: 'v1alpha1',
  kind: 'Shirt',
  deprecated: warning,
  categories: ['clothes'],
  lossy: {
    versions: {
      'spec.note': 'it is new',
      'spec.stock': 'it is new',
      'spec.color': 'any colour was allowed',
      status: 'it is new',
      'status.sold': 'it is new',
    },
  },
})
@PrinterColumn({ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' })
@SelectableField('.spec.color')
class ShirtV1alpha1 extends KubernetesObject {
  @Spec() spec!: OldShirtSpec;
}

// biome-ignore lint/suspicious/noExplicitAny: tests access arbitrary parts of responses
type Body = any;

const asTable = 'application/json;as=Table;g=meta.k8s.io;v=v1';

function suite(start: () => Promise<ComparedServer>): void {
  let server: ComparedServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());

  it('are accepted without a warning as one CRD, stored as they were sent, and served by version', async () => {
    const { definitions, findings } = await generateCustomResourceDefinitions([ShirtV1alpha1, Shirt, ShirtV1beta1]);
    expect(findings.filter(({ level }) => level === 'error')).toEqual([]);
    const [made] = definitions;
    if (made === undefined || definitions.length > 1) throw new Error('one CRD was expected');
    expect(made.spec.versions.map(({ name, served, storage }) => ({ name, served, storage }))).toEqual([
      { name: 'v1', served: true, storage: true },
      { name: 'v1beta1', served: false, storage: false },
      { name: 'v1alpha1', served: true, storage: false },
    ]);
    const definition = parse(customResourceDefinitionYaml(made));
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const answer = await server.send('POST', path, { body: definition });
    expect({ status: answer.status, warnings: answer.warnings }).toEqual({ status: 201, warnings: [] });
    const { metadata, spec } = answer.body as Body;
    expect(spec.versions).toEqual(made.spec.versions);
    expect(metadata).toMatchObject({
      labels: { 'example.com/team': 'web' },
      annotations: { 'example.com/owner': 'The web team.' },
    });
    await until(async () => (await server.send('GET', `/apis/${group}/v1/shirts`)).status === 200);
    // The server adds each version to the document of the group separately.
    const documentOfGroup = async (): Promise<Body> => (await server.send('GET', `/apis/${group}`)).body as Body;
    await until(async () => (await documentOfGroup()).versions?.length === 2);
    const { versions, preferredVersion } = await documentOfGroup();
    expect(versions.map(({ version }: Body) => version)).toEqual(['v1', 'v1alpha1']);
    expect(preferredVersion.version).toBe('v1');
    // The document of a version is updated after that of its group.
    await until(async () => (await server.send('GET', `/apis/${group}/v1`)).status === 200);
    const resources = ((await server.send('GET', `/apis/${group}/v1`)).body as Body).resources as Body[];
    expect(resources.find(({ name }) => name === 'shirts')).toMatchObject({
      shortNames: ['sh'],
      categories: ['clothes'],
    });
    expect(resources.map(({ name }) => name).sort()).toEqual(['shirts', 'shirts/scale', 'shirts/status']);
  });

  it('are served with a warning in a deprecated version, and not found in a version that is not served', async () => {
    expect(await server.send('GET', `/apis/${group}/v1alpha1/shirts`)).toMatchObject({
      status: 200,
      warnings: [warning],
    });
    expect(await server.send('GET', `/apis/${group}/v1/shirts`)).toMatchObject({ status: 200, warnings: [] });
    expect(await server.send('GET', `/apis/${group}/v1beta1/shirts`)).toMatchObject({ status: 404 });
  });

  it('are selected by fields and printed in the columns of their version', async () => {
    const path = (version: string) => `/apis/${group}/${version}/namespaces/default/shirts`;
    for (const [name, color] of [
      ['one', 'blue'],
      ['two', 'red'],
    ]) {
      const body = { apiVersion: `${group}/v1`, kind: 'Shirt', metadata: { name }, spec: { color, stock: 3 } };
      expect(await server.send('POST', path('v1'), { body })).toMatchObject({ status: 201, warnings: [] });
    }
    for (const version of ['v1', 'v1alpha1']) {
      const { body } = await server.send('GET', `${path(version)}?fieldSelector=spec.color%3Dred`);
      expect((body as Body).items.map(({ metadata }: Body) => metadata.name)).toEqual(['two']);
    }
    expect(await server.send('GET', `${path('v1')}?fieldSelector=spec.note%3Dx`)).toMatchObject({ status: 400 });
    const columnsOf = async (version: string) => {
      const { body } = await server.send('GET', path(version), { accept: asTable });
      return (body as Body).columnDefinitions.map(({ name }: Body) => name);
    };
    expect(await columnsOf('v1')).toEqual(['Name', 'Color', 'Sold']);
    expect(await columnsOf('v1alpha1')).toEqual(['Name', 'Age']);
    const scale = await server.send('GET', `${path('v1')}/one/scale`);
    expect((scale.body as Body).spec).toEqual({ replicas: 3 });
  });
}

/** Waits for a condition, because servers process a CRD asynchronously. */
async function until(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 90_000;
  while (!(await isDone())) if (Date.now() > deadline) throw new Error('it takes too long');
}

describe('versions from classes on the embedded API server', () => suite(() => embeddedServer()));
describeWithRealServer('versions from classes on the real API server', () => suite(realServer));
