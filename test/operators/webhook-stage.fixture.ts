import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import { ApiServer } from '@evenkeel/apiserver';
import { httpsTransport, loadConnection } from '@evenkeel/client';
import { type ObjectValidator, SilentLogger, type Transport, type WebhookClientConfig } from '@evenkeel/core';
import { planWebhooks, webhookConfigurations } from '@evenkeel/core/webhook';
import { createManager } from '@evenkeel/runtime';
import { Environment } from '@evenkeel/testing';
import { ownAddress } from '../own-address.fixture.ts';
import { type SendOptions, startRealServer } from '../real-server.fixture.ts';
import { type DeclaredCases, declareCases, definitions, filledIn, type WebhookCase } from './webhook-case.fixture.ts';
import { Quota } from './webhook-class-cases.fixture.ts';

/** The response to one request of a case, and what the webhooks have seen meanwhile. */
export interface CaseAnswer {
  readonly code: number;
  readonly body: Reply;
  readonly warnings: readonly string[];
  readonly seen: readonly unknown[];
}

type Reply = { readonly message?: string; readonly kind?: string } & Record<string, unknown>;

/** How an API server reaches the operator. */
export type Reach = 'url' | 'service';

/** The rule of Gadgets that their CRD cannot express. */
export const validator: ObjectValidator = {
  prepare: () => undefined,
  validate: (object) => {
    const { size, tags = [] } = ((object as { spec?: object }).spec ?? {}) as { size?: number; tags?: string[] };
    return [
      ...((size ?? 0) > 5 ? [{ path: 'spec.size', message: 'must not be greater than 5' }] : []),
      ...tags.flatMap((tag, index) =>
        tag === 'bad' ? [{ path: `spec.tags[${index}]`, message: 'must not be bad' }] : [],
      ),
    ];
  },
};

/** An operator with the webhooks of all cases, and the API server that calls it. */
export class WebhookStage {
  readonly #transport: Transport;
  readonly #declared: DeclaredCases;
  readonly #closers: (() => unknown)[];

  private constructor(transport: Transport, declared: DeclaredCases, closers: (() => unknown)[]) {
    this.#transport = transport;
    this.#declared = declared;
    this.#closers = closers;
  }

  /** On the embedded server of an Environment, without sockets. */
  static async inProcess(cases: readonly WebhookCase[]): Promise<WebhookStage> {
    const environment = await Environment.create({ variables: {}, controllers: false });
    const declared = declareCases(cases, 'case');
    const stage = new WebhookStage(environment.transport, declared, [() => environment.close()]);
    await stage.#install(cases);
    const operator = environment.run(async (connection) => {
      const manager = await createManager({ ...connection, ...optionsFor(declared), logger: new SilentLogger() });
      await manager.start();
      return manager;
    });
    await (await operator).waitUntilReady();
    return stage;
  }

  /** Operators that serve HTTPS, one for each way to reach them, on one server. */
  static async overHttps(
    cases: readonly WebhookCase[],
    type: 'embedded' | 'real',
    reaches: readonly Reach[],
  ): Promise<readonly WebhookStage[]> {
    const server = await (type === 'real' ? realServer() : embeddedServer());
    const stages: WebhookStage[] = [];
    try {
      const connection = await loadConnection({ kubeconfig: server.kubeconfig, environment: {} });
      for (const reach of reaches) {
        const transport = httpsTransport(connection);
        const stage = new WebhookStage(transport, declareCases(cases, reach), [() => transport.close()]);
        // The first one is closed last.
        if (stages.length === 0) stage.#closers.push(server.stop);
        stages.push(stage);
        await stage.#install(cases);
        await stage.#serve(reach, httpsTransport(connection));
      }
    } catch (error) {
      for (const stage of stages.reverse()) await stage.close();
      throw error;
    }
    return stages;
  }

  async close(): Promise<void> {
    for (const close of this.#closers) await close();
  }

  /** Sends the requests of a case. */
  async play({ steps }: WebhookCase, index: number): Promise<CaseAnswer[]> {
    const answers: CaseAnswer[] = [];
    const namespace = this.#declared.namespaceOf(index);
    this.#declared.take();
    for (const { request } of steps) {
      const [method, path, body, options] = request;
      const filled = body && filledIn(body, namespace);
      const answer = await this.#send(method, filledIn(path, namespace), filled, options);
      const seen = this.#declared.take();
      answers.push(JSON.parse(JSON.stringify({ ...answer, seen }).replaceAll(namespace, '{ns}')) as CaseAnswer);
    }
    return answers;
  }

  async #install(cases: readonly WebhookCase[]): Promise<void> {
    for (const definition of definitions)
      await this.#create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    for (const path of ['/apis/cases.example.com/v2/gadgets', '/apis/foreign.example.org/v1alpha1/regions']) {
      await this.#until(
        path,
        () => this.#send('GET', path),
        ({ code }) => code === 200,
      );
    }
    for (const [index] of cases.entries()) {
      await this.#create('/api/v1/namespaces', { metadata: { name: this.#declared.namespaceOf(index) } });
    }
  }

  /** Starts the operator, and registers it. */
  async #serve(reach: Reach, transport: Transport): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'evenkeel-webhook-cases-'));
    const service = { namespace: 'default', name: 'operator' };
    const authority = new CertificateAuthority('cases', Date.now());
    const hosts = ['127.0.0.1', `${service.name}.${service.namespace}.svc`];
    const issued = authority.issue({ commonName: 'cases', usage: 'server', hosts });
    await writeFile(join(folder, 'tls.crt'), issued.certificatePem);
    await writeFile(join(folder, 'tls.key'), issued.privateKeyPem);
    const manager = await createManager({
      ...{ transport, logger: new SilentLogger(), webhookServer: { certificates: 'files' } },
      ...optionsFor(this.#declared),
      webhook: { address: '0.0.0.0:0', certificates: folder, stopDelay: '0s' },
    });
    await manager.start();
    this.#closers.unshift(
      () => manager.stop(),
      () => transport.close(),
      () => rm(folder, { recursive: true }),
    );
    await manager.waitUntilReady();
    const port = Number(manager.addresses.webhook?.split(':').at(-1));
    if (reach === 'service') await this.#createService(service, port);
    const caBundle = Buffer.from(authority.certificatePem).toString('base64');
    const { plans, mistakes } = planWebhooks(this.#declared.classes);
    expect(mistakes).toEqual([]);
    const clientConfigOf = ({ path }: { readonly path: string }): WebhookClientConfig =>
      reach === 'url'
        ? { url: `https://127.0.0.1:${port}${path}`, caBundle }
        : { service: { ...service, path, port: 443 }, caBundle };
    for (const configuration of webhookConfigurations(`cases-${reach}`, plans, clientConfigOf)) {
      const plural = `${configuration.kind.toLowerCase()}s`;
      await this.#create(`/apis/admissionregistration.k8s.io/v1/${plural}`, configuration);
    }
    await this.#untilCalled();
  }

  async #createService({ namespace, name }: { namespace: string; name: string }, port: number): Promise<void> {
    await this.#create(`/api/v1/namespaces/${namespace}/services`, {
      metadata: { name },
      spec: { ports: [{ name: 'https', port: 443 }] },
    });
    await this.#create(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, {
      metadata: { name, labels: { 'kubernetes.io/service-name': name } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [ownAddress()], conditions: { ready: true } }],
      ports: [{ name: 'https', port }],
    });
  }

  /** Waits until the server has seen the configurations: a real one watches them. The first two cases are made for that. */
  async #untilCalled(): Promise<void> {
    for (const [index, type] of ['mutating', 'validating'].entries()) {
      const path = `/api/v1/namespaces/${this.#declared.namespaceOf(index)}/configmaps?dryRun=All`;
      const probe = { metadata: { name: 'probe' } };
      await this.#until(
        `${type} webhooks`,
        () => this.#send('POST', path, probe),
        ({ body }) => body.message?.endsWith('denied the request: called') === true,
      );
    }
  }

  async #until(what: string, send: () => Promise<Answered>, isDone: (answer: Answered) => boolean): Promise<void> {
    for (let tries = 0; ; tries++) {
      const answer = await send();
      if (isDone(answer)) return;
      if (tries === 500) throw new Error(`${what}: ${answer.code} ${answer.body.message}`);
      await delay(20);
    }
  }

  async #create(path: string, body: object): Promise<void> {
    const answer = await this.#send('POST', path, body);
    // Two operators on one server share the CRDs.
    expect({ path, code: answer.code === 409 ? 201 : answer.code, message: answer.body.message }).toEqual({
      path,
      code: 201,
      message: answer.code === 409 ? expect.any(String) : undefined,
    });
  }

  async #send(method: string, path: string, body?: object, options: SendOptions = {}): Promise<Answered> {
    const { contentType = 'application/json', headers } = options;
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await this.#transport.request({
      method: method as 'GET',
      path,
      headers: {
        accept: 'application/json',
        'user-agent': 'cases',
        ...(body && { 'content-type': contentType }),
        ...headers,
      },
      ...text,
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const given = response.headers['warning'] ?? '';
    // Node decodes the headers of a socket as Latin-1.
    const warning = /[^ -\u00ff]/.test(given) ? given : Buffer.from(given, 'latin1').toString('utf8');
    const warnings = [...warning.matchAll(/299 - ("(?:[^"\\]|\\.)*")/g)].map(
      ([, quoted = '""']) => JSON.parse(quoted) as string,
    );
    return { code: response.status, body: replyOf(Buffer.concat(chunks).toString()), warnings };
  }
}

/** A server that does not know a group yet responds with text. */
function replyOf(text: string): Reply {
  return text.startsWith('{') ? (JSON.parse(text) as Reply) : { message: text };
}

type Answered = Omit<CaseAnswer, 'seen'>;

function optionsFor({ classes }: DeclaredCases) {
  return { name: 'cases', controllers: [], webhooks: classes, services: [Quota], validator };
}

async function embeddedServer(): Promise<{ kubeconfig: string; stop: () => Promise<void> }> {
  const server = await ApiServer.create({ controllers: false, serviceCidr: '10.0.0.0/24' });
  const folder = await mkdtemp(join(tmpdir(), 'evenkeel-cases-server-'));
  await server.listen();
  const kubeconfig = join(folder, 'kubeconfig');
  await server.writeKubeconfig(kubeconfig);
  return {
    kubeconfig,
    stop: async () => {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function realServer(): Promise<{ kubeconfig: string; stop: () => Promise<void> }> {
  const { kubeconfig, stop } = await startRealServer(undefined, [], ['--enable-aggregator-routing=true']);
  return { kubeconfig, stop };
}

/** Compares the responses with those that the case expects. */
export function expectAnswers({ steps }: WebhookCase, answers: readonly CaseAnswer[]): void {
  for (const [index, { code, body, message, warnings, seen }] of steps.entries()) {
    const answer = answers[index];
    if (answer === undefined) throw new Error(`request ${index} was not sent`);
    const status = answer.body.kind === 'Status' ? answer.body.message : undefined;
    // A wrong code is reported with the message that explains it.
    const right = code === undefined ? answer.code < 300 : answer.code === code;
    expect({ index, code: answer.code, status: right ? '' : status }).toEqual({
      index,
      code: code ?? answer.code,
      status: '',
    });
    if (body !== undefined) expect(answer.body).toMatchObject(body);
    if (typeof message === 'string') expect(status?.slice(-message.length)).toBe(message);
    if (message instanceof RegExp) expect(status).toMatch(message);
    if (warnings !== undefined) expect(answer.warnings).toEqual(warnings);
    if (seen !== undefined) expect(answer.seen).toEqual(JSON.parse(JSON.stringify(seen)));
  }
}
