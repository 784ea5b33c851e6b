// Calls add, get and done for many keys of one queue. Prints one line of JSON.
import { Workqueue } from '@evenkeel/runtime/workqueue';

const keys = Array.from({ length: Number(process.argv[2]) }, (_, at) => `default/object-${at}`);
const queue = new Workqueue();
const rounds = 5;
const times = [];
for (let round = 0; round < rounds; round++) {
  const started = performance.now();
  for (const key of keys) queue.add(key);
  for (const _ of keys) queue.done(queue.tryGet());
  times.push(((performance.now() - started) * 1e6) / keys.length);
}
times.sort((left, right) => left - right);
console.log(JSON.stringify({ nsPerKey: times[Math.floor(rounds / 2)] }));
process.exit(0);
