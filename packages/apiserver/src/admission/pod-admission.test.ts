import type { Pod } from '@evenkeel/kinds';
import { testContext } from '../strategy/admission.fixture.ts';
import { admitPod } from './pod-admission.ts';

describe('admitPod', () => {
  it('reports the name of a missing class', () => {
    const asked: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'default' },
      spec: { containers: [{ name: 'a', image: 'a:1' }], priorityClassName: 'high' },
    };
    expect(() => admitPod(asked, undefined, testContext())).toThrow(
      'pods "web" is forbidden: no PriorityClass with name high was found',
    );
  });
});
