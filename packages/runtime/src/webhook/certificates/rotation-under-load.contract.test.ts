import { setTimeout as delay } from 'node:timers/promises';
import { ApiServer } from '@evenkeel/apiserver';
import { httpsTransport, loadConnection } from '@evenkeel/client';
import { ManualClock, SystemClock } from '@evenkeel/core';
import { ownAddress } from '../../../../../test/own-address.fixture.ts';
import {
  describeOnEmbeddedServer,
  describeWithRealServer,
  startRealServer,
} from '../../../../../test/real-server.fixture.ts';
import { callsPerSecond, givenRotations, type RotationReport, rotateUnderLoad } from './rotation-under-load.fixture.ts';

const rotations = Number(givenRotations ?? 1);

function expectNoFailure({ calls, perSecond, cpuMsPerCall, failures, authorities, perReplica }: RotationReport): void {
  process.stdout.write(
    `${calls} calls, ${perSecond} a second, ${cpuMsPerCall.toFixed(1)} ms of this process for each, ${perReplica.join(' and ')} for each replica, ${authorities} authorities, ${failures.length} failed\n`,
  );
  expect(failures).toEqual([]);
  expect(authorities).toBeGreaterThanOrEqual(rotations + 1);
  // A machine that runs all tests may be too slow for the rate.
  if (givenRotations !== undefined) expect(perSecond).toBeGreaterThan(callsPerSecond * 0.95);
  for (const count of perReplica) expect(count).toBeGreaterThan(calls / 4);
}

describeOnEmbeddedServer('rotation of certificates under load: the embedded server', () => {
  it(`fails no call of ${callsPerSecond} a second during ${rotations} rotations`, async () => {
    const clock = new ManualClock();
    const server = await ApiServer.create({ controllers: false, clock });
    try {
      const report = await rotateUnderLoad({
        ...{ transport: () => server.transport(), clock, address: ownAddress(), rotations },
        timing: { authorityDuration: '6s', certificateDuration: '4s', trustDelay: '700ms', checkInterval: '500ms' },
        tick: (ms) => clock.advance(ms),
      });
      expectNoFailure(report);
    } finally {
      await server.close();
    }
  });
});

describeWithRealServer('rotation of certificates under load: a real server', () => {
  it(`fails no call of ${callsPerSecond} a second during ${rotations} rotations`, async () => {
    const address = ownAddress();
    // Otherwise the server calls the address of the Service, which leads nowhere without nodes.
    const server = await startRealServer(undefined, [], ['--enable-aggregator-routing=true']);
    try {
      const connection = await loadConnection({ kubeconfig: server.kubeconfig, environment: {} });
      const report = await rotateUnderLoad({
        ...{ transport: () => httpsTransport(connection), clock: new SystemClock(), address, rotations },
        // With all tests on two cores, the watch of the real server is up to 3 s behind.
        timing: { authorityDuration: '27s', certificateDuration: '18s', trustDelay: '6s', checkInterval: '1s' },
        tick: (ms) => delay(ms),
      });
      expectNoFailure(report);
    } finally {
      await server.stop();
    }
  });
});
