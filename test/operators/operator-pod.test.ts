import { operatorPodCases } from './operator-pod-cases.fixture.ts';

describe('an operator in a pod of the embedded cluster', () => {
  operatorPodCases(async () => ({ kind: 'embedded' }));
});
