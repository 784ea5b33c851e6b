import type { ApiObject } from '../../kind/api-object.ts';
import { testContext } from '../admission.fixture.ts';
import { podStrategy } from './pod.ts';

const pod = (more: object, spec: object = {}): ApiObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', generation: 3 },
    spec: { containers: [{ name: 'a', image: 'a:1' }], terminationGracePeriodSeconds: 30, ...spec },
    ...more,
  }) as ApiObject;

describe('podStrategy', () => {
  it('waits for the containers of a Pod that a node has', () => {
    const running = pod({ status: { phase: 'Running' } }, { nodeName: 'n' });
    expect(podStrategy.gracefulDeletion?.(running, {})).toBe(30);
    expect(podStrategy.gracefulDeletion?.(running, { gracePeriodSeconds: 5 })).toBe(5);
    expect(podStrategy.gracefulDeletion?.(running, { gracePeriodSeconds: 0 })).toBe(0);
    expect(podStrategy.gracefulDeletion?.(running, { gracePeriodSeconds: -1 })).toBe(1);
  });

  it('does not wait for a Pod that no node has, nor for one that has ended', () => {
    expect(podStrategy.gracefulDeletion?.(pod({ status: { phase: 'Pending' } }), {})).toBe(0);
    expect(podStrategy.gracefulDeletion?.(pod({ status: { phase: 'Succeeded' } }, { nodeName: 'n' }), {})).toBe(0);
  });

  it('leaves the spec and the owners to others when the status is written', () => {
    const old = pod({ status: { phase: 'Pending', qosClass: 'BestEffort', observedGeneration: 2 } });
    const written = pod({ status: { phase: 'Running' } }, { nodeName: 'stolen' });
    written.metadata.ownerReferences = [{ apiVersion: 'v1', kind: 'Other', name: 'x', uid: 'u' }];
    podStrategy.subresources?.['status']?.prepareForUpdate?.(written, old, testContext());
    expect(written['spec']).toEqual(old['spec']);
    expect(written.metadata.ownerReferences).toBeUndefined();
    expect(written['status']).toEqual({ phase: 'Running', qosClass: 'BestEffort', observedGeneration: 2 });
  });

  it('resizes containers and nothing else', () => {
    const old = pod({});
    const resources = { limits: { cpu: '2' } };
    const asked = pod({}, { containers: [{ name: 'a', image: 'other', resources }], hostname: 'other' });
    podStrategy.subresources?.['resize']?.prepareForUpdate?.(asked, old, testContext());
    expect(asked['spec']).toEqual({
      containers: [{ name: 'a', image: 'a:1', resources }],
      terminationGracePeriodSeconds: 30,
    });
    expect(asked.metadata.generation).toBe(4);
  });
});
