import type { ApiObject } from '../../kind/api-object.ts';
import { admitCreate, admitUpdate, strategyOf, TestAllocator, testContext } from '../admission.fixture.ts';

const service = (spec: object): ApiObject =>
  ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default' }, spec }) as ApiObject;

describe('what a Service is given', () => {
  const allocator = new TestAllocator();
  const context = testContext(allocator);
  const before = new Set(allocator.taken);
  beforeEach(() => {
    allocator.taken.clear();
    for (const value of before) allocator.taken.add(value);
  });

  it('is all given back when it is deleted', async () => {
    const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] };
    const { object } = await admitCreate(service(spec), {}, context);
    expect(allocator.taken.size).toBe(before.size + 3);
    (await strategyOf(object)).afterStore?.(undefined, object, context);
    expect(allocator.taken).toEqual(before);
  });

  it('is given back as far as an update gives it up', async () => {
    const { object: old } = await admitCreate(service({ type: 'NodePort', ports: [{ port: 80 }] }), {}, context);
    const { object } = await admitUpdate(service({ type: 'ClusterIP', ports: [{ port: 80 }] }), old, context);
    (await strategyOf(object)).afterStore?.(object, old, context);
    expect((object['spec'] as { clusterIP?: string }).clusterIP).toBe(
      (old['spec'] as { clusterIP?: string }).clusterIP,
    );
    expect(allocator.taken.size).toBe(before.size + 1);
  });

  it('is one port for TCP and UDP of the same number', async () => {
    const ports = [
      { name: 'a', port: 53 },
      { name: 'b', port: 53, protocol: 'UDP' },
    ];
    const { object, errors } = await admitCreate(service({ type: 'NodePort', ports }), {}, context);
    const [first, second] = (object['spec'] as { ports: { nodePort: number }[] }).ports;
    expect(errors).toEqual([]);
    expect(first?.nodePort).toBe(second?.nodePort);
  });

  it('is refused where another has it, with the reason of the allocator', async () => {
    await expect(admitCreate(service({ clusterIP: '10.0.0.1', ports: [{ port: 80 }] }), {}, context)).rejects.toThrow(
      'Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.1"]: failed to allocate IP 10.0.0.1: provided IP is already allocated',
    );
  });

  it('is nothing for a Service without an address', async () => {
    await admitCreate(service({ clusterIP: 'None' }), {}, context);
    await admitCreate(service({ type: 'ExternalName', externalName: 'example.com' }), {}, context);
    expect(allocator.taken).toEqual(before);
  });
});
