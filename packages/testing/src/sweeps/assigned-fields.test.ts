import type { KubernetesObject } from '@evenkeel/core';
import { maskAssigned } from './assigned-fields.ts';

const object = (fields: object): KubernetesObject =>
  ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, ...fields }) as KubernetesObject;

describe('maskAssigned', () => {
  it('masks the values that are assigned to a Service, also in lists, and returns them', () => {
    const service = object({
      spec: {
        clusterIP: '10.96.0.7',
        clusterIPs: ['10.96.0.7'],
        ports: [{ port: 80, nodePort: 30_080 }, { port: 81 }],
      },
      status: { loadBalancer: { ingress: [{ ip: '127.1.0.1' }] } },
    });
    expect(maskAssigned(service)).toEqual(['10.96.0.7', '10.96.0.7', '127.1.0.1']);
    expect(service).toMatchObject({
      spec: {
        clusterIP: '<assigned>',
        clusterIPs: ['<assigned>'],
        ports: [{ port: 80, nodePort: '<assigned>' }, { port: 81 }],
      },
      status: { loadBalancer: { ingress: [{ ip: '<assigned>' }] } },
    });
  });

  it('does not mask a headless Service, or fields of the same name in other kinds', () => {
    const headless = object({ spec: { clusterIP: 'None', clusterIPs: ['None'] } });
    expect(maskAssigned(headless)).toEqual([]);
    expect(headless).toEqual(object({ spec: { clusterIP: 'None', clusterIPs: ['None'] } }));
    const other = object({ apiVersion: 'example.com/v1', spec: { clusterIP: '10.96.0.7' } });
    expect(maskAssigned(other)).toEqual([]);
  });
});
