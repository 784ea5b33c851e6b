// An operator in a process of its own, for tests of how it begins and ends. Decorators are called as the functions that they
// are, because Node runs this file as it is.
import 'reflect-metadata';
import { Client } from '@evenkeel/client';
import { Controller, Reconcile } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds/core/v1';
import { Manager } from './manager.ts';

/** Asked for by SIGUSR2. */
let isPauseDue = false;
process.on('SIGUSR2', () => {
  isPauseDue = true;
});

/** Before a write, so that one is what runs first afterwards; and never within one, from where nobody takes it back. */
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
        // Long after the run has ended.
        void new Promise((_resolve, reject) => setTimeout(() => reject(new Error('nobody cares')), 50));
        return;
      case 'throw later':
        setTimeout(() => {
          throw new Error('nobody catches');
        }, 50);
        return;
      case 'block':
        // The thread sleeps: whoever else is on the machine has the time that a loop would take.
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

await Manager.run({
  controllers: [process.env['SCENARIO'] === 'wrong wiring' ? Undeclared : ScriptedController],
  health: { readiness: { own: () => undefined } },
  ...(process.env['SCENARIO'] === 'misspelt option' ? { leaderElecton: { name: 'scripted' } } : {}),
});
