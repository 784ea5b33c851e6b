import type { ApiObject } from '../../kind/api-object.ts';
import { admitCreate, admitUpdate, strategyOf, TestAllocator, testContext } from '../admission.fixture.ts';

const service = (spec: object): ApiObject =>
  ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'default' }, spec }) as ApiObject;

describe('the addresses and ports of a Service', () => {
  const allocator = new TestAllocator();
  const context = testContext(allocator);
  const before = new Set(allocator.taken);
  beforeEach(() => {
    allocator.taken.clear();
    for (const value of before) allocator.taken.add(value);
  });

  it('are all released when the Service is deleted', async () => {
    const spec = { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] };
    const { object } = await admitCreate(service(spec), {}, context);
    expect(allocator.taken.size).toBe(before.size + 3);
    (await strategyOf(object)).afterStore?.(undefined, object, context);
    expect(allocator.taken).toEqual(before);
  });

  it('are released if an update removes them', async () => {
    const { object: old } = await admitCreate(service({ type: 'NodePort', ports: [{ port: 80 }] }), {}, context);
    const { object } = await admitUpdate(service({ type: 'ClusterIP', ports: [{ port: 80 }] }), old, context);
    (await strategyOf(object)).afterStore?.(object, old, context);
    expect((object['spec'] as { clusterIP?: string }).clusterIP).toBe(
      (old['spec'] as { clusterIP?: string }).clusterIP,
    );
    expect(allocator.taken.size).toBe(before.size + 1);
  });

  it('share one node port between TCP and UDP of the same port', async () => {
    const ports = [
      { name: 'a', port: 53 },
      { name: 'b', port: 53, protocol: 'UDP' },
    ];
    const { object, errors } = await admitCreate(service({ type: 'NodePort', ports }), {}, context);
    const [first, second] = (object['spec'] as { ports: { nodePort: number }[] }).ports;
    expect(errors).toEqual([]);
    expect(first?.nodePort).toBe(second?.nodePort);
  });

  it("are rejected with the allocator's reason if another Service has them", async () => {
    await expect(admitCreate(service({ clusterIP: '10.0.0.1', ports: [{ port: 80 }] }), {}, context)).rejects.toThrow(
      'Service "web" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.1"]: failed to allocate IP 10.0.0.1: provided IP is already allocated',
    );
  });

  it('are empty for a Service without an address', async () => {
    await admitCreate(service({ clusterIP: 'None' }), {}, context);
    await admitCreate(service({ type: 'ExternalName', externalName: 'example.com' }), {}, context);
    expect(allocator.taken).toEqual(before);
  });
});
