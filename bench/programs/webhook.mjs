// Calls a validating webhook in process, with an object of 2 KB that it accepts. Argument: the number of calls. Prints the time of
// one call as JSON.
import { validatingWebhookFor } from '@evenkeel/runtime';
import { Bench } from './bench-kind.mjs';
import { admissionReview } from './bench-objects.ts';
import { hosted } from './hosted.mjs';

const calls = Number(process.argv[2]);
const webhook = validatingWebhookFor(Bench).admit(['create'], function check(object, review) {
  if (object.spec.replicas > 1000) review.invalid('spec.replicas', object.spec.replicas, 'must be at most 1000');
});
const { webhooks, stop } = await hosted({ webhooks: [webhook] });
let path;
webhooks.configurations((asked) => {
  path = asked;
  return { url: asked };
});
const { signal } = new AbortController();
const query = new URLSearchParams('timeout=10s');
const call = { path, query, contentType: 'application/json', body: Buffer.from(admissionReview()), signal };
for (let at = 0; at < calls / 5; at++) await webhooks.handle(call);
const startedMs = performance.now();
for (let at = 0; at < calls; at++) await webhooks.handle(call);
console.log(JSON.stringify({ us: ((performance.now() - startedMs) * 1000) / calls }));
await stop();
