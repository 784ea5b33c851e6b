import { setTimeout as delay } from 'node:timers/promises';
import { type ComparedServer, normalise } from '../comparison.fixture.ts';
import type { AdmissionWebhookServer } from './admission-webhook.fixture.ts';
import type { AdmissionCase, TestedWebhook } from './webhook-cases.fixture.ts';

export const registration = '/apis/admissionregistration.k8s.io/v1';
export const phases = ['mutating', 'validating'] as const;
type Phase = (typeof phases)[number];

/** An API server with its webhooks. */
export class WebhookSide {
  readonly server: ComparedServer;
  readonly webhooks: AdmissionWebhookServer;

  constructor(server: ComparedServer, webhooks: AdmissionWebhookServer) {
    this.server = server;
    this.webhooks = webhooks;
  }

  async play(one: AdmissionCase, probe: string): Promise<unknown> {
    this.webhooks.reset();
    for (const request of one.before ?? []) {
      // An earlier case may have created it.
      expect([200, 201, 409]).toContain((await this.#send(request)).status);
    }
    try {
      for (const phase of phases) await this.#configure(phase, one[phase] ?? [], probe);
      return await this.#played(one);
    } finally {
      for (const phase of phases) await this.#remove(phase, probe);
    }
  }

  async #played(one: AdmissionCase): Promise<unknown[]> {
    const played: unknown[] = [];
    for (const request of one.requests) {
      const { status, body, warnings } = await this.#send(request);
      const calls = this.webhooks.calls.splice(0).map(({ path, query, review }) => ({ path, query, review }));
      // Validating webhooks are called at once.
      calls.sort((a, b) => (a.path.startsWith('v') && b.path.startsWith('v') ? a.path.localeCompare(b.path) : 0));
      played.push(withoutPorts(normalise({ request: request.slice(0, 2), status, body, warnings, calls })));
    }
    return played;
  }

  #send([method, path, body, options]: AdmissionCase['requests'][number]): ReturnType<ComparedServer['send']> {
    return this.server.send(method, path, { ...(body !== undefined && { body }), ...options });
  }

  async #configure(phase: Phase, webhooks: readonly TestedWebhook[], probe: string): Promise<void> {
    for (const { path, answer } of webhooks) if (answer !== undefined) this.webhooks.answers.set(path, answer);
    const configured = webhooks.map(({ path, options }) => ({
      name: `${path}.webhook.test`,
      clientConfig: this.webhooks.config(path),
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      ...options,
    }));
    const probed = {
      name: 'probe.webhook.test',
      clientConfig: this.webhooks.config('probe'),
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
      objectSelector: { matchLabels: { [`probe-${phase}`]: probe } },
    };
    const body = { metadata: { name: 'tested' }, webhooks: [...configured, probed] };
    const { status, body: answer } = await this.server.send('POST', `${registration}/${phase}webhookconfigurations`, {
      body,
    });
    expect({ status, message: (answer as { message?: string }).message }).toEqual({ status: 201, message: undefined });
    await this.#until(phase, probe, true);
  }

  async #remove(phase: Phase, probe: string): Promise<void> {
    await this.server.send('DELETE', `${registration}/${phase}webhookconfigurations/tested`);
    await this.#until(phase, probe, false);
  }

  /** Waits until the server has seen the configuration: the real one watches it. */
  async #until(phase: Phase, probe: string, configured: boolean): Promise<void> {
    const body = { metadata: { name: 'probe', labels: { [`probe-${phase}`]: probe } } };
    for (let tries = 0; ; tries++) {
      if (tries === 500) throw new Error(`the server has not seen the ${phase} configuration`);
      const { body: answer } = await this.server.send('POST', '/api/v1/namespaces/default/secrets?dryRun=All', {
        body,
      });
      if (((answer as { message?: string }).message?.includes('probe.webhook.test') === true) === configured) break;
      await delay(20);
    }
    this.webhooks.calls.length = 0;
  }
}

/** Removes the addresses of the webhooks, which differ. */
function withoutPorts(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll(/127\.0\.0\.1:\d+/g, '<address>');
  return JSON.parse(text.replaceAll(/read tcp <address>-><address>/g, 'read tcp'));
}
