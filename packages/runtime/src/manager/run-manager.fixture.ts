// An operator in its own process, for tests of its start and stop. It calls decorators as functions, because Node runs this
// file without a compiler.
import 'reflect-metadata';
import { Client } from '@evenkeel/client';
import { Controller, Reconcile } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds/core/v1';
import { defineOperator } from '../options/operator.ts';
import { Manager } from './manager.ts';

/** Set by SIGUSR2. */
let isPauseDue = false;
process.on('SIGUSR2', () => {
  isPauseDue = true;
});

/** Called before a write, so that a write runs first after the pause; never during a write, which cannot be taken back. */
function pauseWhereDue(): void {
  if (!isPauseDue) return;
  isPauseDue = false;
  console.log(JSON.stringify({ msg: 'pausing' }));
  process.kill(process.pid, 'SIGSTOP');
}

class ScriptedController {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async reconcile(map: ConfigMap): Promise<void> {
    const { metadata, data } = map;
    if (metadata.namespace !== 'default') return;
    switch (data?.['do']) {
      case 'float':
        // After the run has finished.
        void new Promise((_resolve, reject) => setTimeout(() => reject(new Error('nobody cares')), 50));
        return;
      case 'throw later':
        setTimeout(() => {
          throw new Error('nobody catches');
        }, 50);
        return;
      case 'block':
        // The thread sleeps, so that other processes of the machine can use the CPU, unlike in a busy loop.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
        return;
      case 'write':
        for (;;) {
          pauseWhereDue();
          await this.client.patch(ConfigMap, 'other/written', { merge: { data: { by: String(process.pid) } } });
          await this.client.patch(ConfigMap, 'other/written', { merge: { data: { by: `${process.pid} again` } } });
        }
      case 'last':
        console.log(JSON.stringify({ msg: 'entered', object: metadata.name }));
        await new Promise((resolve) => setTimeout(resolve, 500));
        console.log(JSON.stringify({ msg: 'left', object: metadata.name }));
        return;
      case 'for ever':
        console.log(JSON.stringify({ msg: 'entered', object: metadata.name }));
        await new Promise(() => {});
    }
  }
}
Reflect.defineMetadata('design:paramtypes', [Client], ScriptedController);
Reconcile()(ScriptedController.prototype, 'reconcile');
Controller(ConfigMap, { name: 'scripted', acrossNamespaces: true })(ScriptedController);

class Undeclared {}

const { SCENARIO: scenario, LEASE: lease } = process.env;

const operator = defineOperator({
  name: 'scripted',
  controllers: [scenario === 'wrong wiring' ? Undeclared : ScriptedController],
  ...(scenario === 'misspelt option' ? { leaderElecton: true } : {}),
  leaderElection: lease === undefined ? false : { name: lease },
  metricsAuthentication: true,
});

await Manager.run(operator, { health: { readiness: { own: () => undefined } } });
