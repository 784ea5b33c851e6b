// A whole operator in a separate process. The text of a site contains instructions for the middle of its reconcile. On
// SIGUSR2, it prints the size of its heap.
import v8, { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ConfigMap } from '@evenkeel/kinds/core/v1';
import { Manager } from '../../packages/runtime/src/manager/manager.ts';
import { defineOperator } from '../../packages/runtime/src/options/operator.ts';
import { AppliedChild } from '../../packages/runtime/src/reconcile/applied-child.ts';
import { RunContext } from '../../packages/runtime/src/reconcile/run-context.ts';
import { RunWrites } from '../../packages/runtime/src/reconcile/run-writes.ts';
import { Trigger } from '../../packages/runtime/src/reconcile/trigger.ts';
import { Ledger, Site, siteController } from './site-operator.fixture.ts';

const say = (msg: string, keys: object = {}): void => console.log(JSON.stringify({ msg, ...keys }));

const ledger = new Ledger();
ledger.middle = async (site, context) => {
  const object = String(context.key);
  const [, blockedMs] = /^block (\d+)$/.exec(site.spec.text ?? '') ?? [];
  if (blockedMs !== undefined) {
    say('entered', { object });
    // The thread sleeps, so that other processes get the time that a loop would use.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(blockedMs));
    return;
  }
  switch (site.spec.text) {
    case 'slow':
      say('entered', { object });
      await new Promise((resolve) => setTimeout(resolve, 700));
      return;
    case 'for ever':
      say('entered', { object });
      return await new Promise<void>(() => undefined);
    case 'write on': {
      say('entered', { object });
      for (let at = 0; ; at++) {
        const data = { by: String(process.pid), at: String(at) };
        await context.client.patch(ConfigMap, `${site.metadata.namespace}/written`, { merge: { data } });
      }
    }
  }
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const { queryObjects } = v8 as unknown as { queryObjects(kind: unknown, options: { format: 'count' }): number };
const counted = [Site, ConfigMap, AppliedChild, RunContext, RunWrites, Trigger, AbortSignal, Map];

process.on('SIGUSR2', () => {
  collect();
  const held = Object.fromEntries(counted.map((kind) => [kind.name, queryObjects(kind, { format: 'count' })]));
  say('counted', { held, heap: process.memoryUsage().heapUsed, overlaps: ledger.overlaps });
});

const leaderElection = process.argv.some((flag) => flag.startsWith('--leader-election-'));
await Manager.run(defineOperator({ name: 'sites', controllers: [siteController(ledger)], leaderElection }));
