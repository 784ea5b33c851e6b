import { podRunnerContract } from './pod-runner-contract.fixture.ts';

describe('a PodRunner on the embedded server', () => {
  podRunnerContract(async () => ({ kind: 'embedded' }), true);
});

describe('a PodRunner on a server without controllers', () => {
  podRunnerContract(async () => ({ kind: 'embedded', controllers: false }), false);
});
