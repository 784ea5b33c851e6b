import type { HostedWebhooks, WebhookCall, WebhookHost } from '@evenkeel/core';
import type { SentWebhooks } from '../operator/operator-contract.ts';
import type { OperatorProcess } from '../operator/operator-process.ts';
import { WebhookRelay } from './webhook-relay.ts';

/** A host that counts its registrations. */
class FakeHost implements WebhookHost {
  readonly registered: HostedWebhooks[] = [];
  ended = 0;

  async policyKinds(): Promise<readonly never[]> {
    return [];
  }

  async serve(webhooks: HostedWebhooks): Promise<() => Promise<void>> {
    this.registered.push(webhooks);
    return async () => {
      this.ended++;
    };
  }
}

/** A process that answers calls with its name. */
function processNamed(name: string): OperatorProcess {
  const call = async () => ({ status: 200, body: name, contentType: 'text/plain' });
  return { operator: { call } } as unknown as OperatorProcess;
}

function webhooks(id: number, name = 'sites', conversions: SentWebhooks['conversions'] = []): SentWebhooks {
  const entry = { name: 'a.example.com', clientConfig: { url: '/a' }, rules: [], sideEffects: 'None' };
  return {
    ...{ id, name, policies: [], conversions },
    configurations: [
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'MutatingWebhookConfiguration',
        metadata: { name },
        webhooks: [{ ...entry, admissionReviewVersions: ['v1'] }],
      },
    ],
  };
}

const call: WebhookCall = {
  ...{ path: '/a', query: new URLSearchParams('timeout=10s'), contentType: 'application/json' },
  ...{ body: new Uint8Array([123, 125]), signal: new AbortController().signal },
};

async function answerOf(host: FakeHost): Promise<string> {
  const { body, status } = (await host.registered[0]?.handle(call)) ?? {};
  return `${status} ${body}`;
}

describe('WebhookRelay', () => {
  let host: FakeHost;
  let relay: WebhookRelay;
  const first = processNamed('first');
  const second = processNamed('second');

  beforeEach(async () => {
    host = new FakeHost();
    relay = new WebhookRelay(host);
    await relay.serve(first, webhooks(1));
  });

  it('registers webhooks with the addresses of the host, and lets the process answer', async () => {
    const [configuration] = host.registered[0]?.configurations((path) => ({ url: `https://here${path}` })) ?? [];
    expect(configuration?.webhooks[0]?.clientConfig).toEqual({ url: 'https://here/a' });
    expect(await answerOf(host)).toBe('200 first');
    await relay.leave(first, 2);
    expect(host.ended).toBe(0);
    await relay.leave(first, 1);
    expect(host.ended).toBe(1);
  });

  it('keeps the registration in a handover, and lets calls wait for the next process', async () => {
    await relay.beginHandover(new Set());
    await relay.leave(first, 1);
    const answer = answerOf(host);
    await relay.serve(second, webhooks(1));
    expect(await answer).toBe('200 second');
    await relay.endHandover();
    expect([host.registered.length, host.ended]).toEqual([1, 0]);
    await relay.leave(second);
    expect(host.ended).toBe(1);
  });

  it('registers other webhooks anew, and ends those that no process serves any more', async () => {
    await relay.beginHandover(new Set());
    await relay.leave(first, 1);
    const answer = answerOf(host);
    await relay.serve(second, webhooks(1, 'shops'));
    await relay.endHandover();
    expect([host.registered.length, host.ended]).toEqual([2, 1]);
    expect(await answer).toBe('503 the operator does not run');
  });

  it('does not keep the conversions of a changed kind, because its definition is replaced', async () => {
    const conversions = [{ group: 'example.com', plural: 'sites' }];
    await relay.serve(first, webhooks(2, 'converted', conversions));
    await relay.beginHandover(new Set(['sites.example.com']));
    expect(host.ended).toBe(1);
    await relay.leave(first);
    await relay.serve(second, webhooks(1));
    await relay.serve(second, webhooks(2, 'converted', conversions));
    await relay.endHandover();
    expect([host.registered.length, host.ended]).toEqual([3, 1]);
  });
});
