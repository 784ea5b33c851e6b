import type { CertificateAuthority, IssuedCertificate } from '@evenkeel/apimachinery/certificate';
import {
  type Clock,
  EvenkeelError,
  type Logger,
  type Random,
  SystemClock,
  SystemRandom,
  type Transport,
} from '@evenkeel/core';
import { certificateAdmission } from './admission/certificate-admission.ts';
import { creationByUpdate } from './admission/creation-by-update.ts';
import { limitRangeDefaults, limitRangeLimits } from './admission/limit-ranger.ts';
import { namespaceLifecycle } from './admission/namespace-lifecycle.ts';
import { ownerReferenceEnforcement } from './admission/owner-reference-enforcement.ts';
import { podAdmission, priorityClassAdmission } from './admission/pod-admission.ts';
import { PoliciesThenWebhooks } from './admission/policy/policies-then-webhooks.ts';
import { PolicyAdmission } from './admission/policy/policy-admission.ts';
import { RequestSelection } from './admission/request-selection.ts';
import { ResourceQuotaAdmission } from './admission/resource-quota.ts';
import { roleEscalation } from './admission/role-escalation.ts';
import { volumeResize } from './admission/volume-resize.ts';
import { WebhookAdmission } from './admission/webhook-admission.ts';
import type { AuditLog, AuditOptions } from './audit/audit-log.ts';
import { type ObjectLookup, ServiceAccountTokens, tokenIssuer } from './authentication/service-account-tokens.ts';
import { authenticated, TokenAuthenticator } from './authentication/token-authenticator.ts';
import { defaultTokenRequest, tokenRequest } from './authentication/token-request.ts';
import { accessReviews } from './authorization/access-reviews.ts';
import { RbacAuthorizer } from './authorization/rbac-authorizer.ts';
import { StoredPolicy } from './authorization/stored-policy.ts';
import { bootstrapCluster } from './bootstrap-cluster.ts';
import { definitionController, serveDefinitions } from './catalog/definition-host.ts';
import { KindCatalog } from './catalog/kind-catalog.ts';
import type { EmbeddedController } from './controllers/controller.ts';
import { InProcessClient } from './controllers/in-process-client.ts';
import { SyncTurns } from './controllers/sync-turns.ts';
import { definitionsStorageKey } from './customresource/custom-definition.ts';
import { discoveryHandler } from './discovery/discovery-handler.ts';
import { healthHandler } from './discovery/health-handler.ts';
import { openIdHandler } from './discovery/open-id-handler.ts';
import { embeddedControllers } from './embedded-controllers.ts';
import { OpenWatches } from './handlers/open-watches.ts';
import { RequestPipeline } from './handlers/request-pipeline.ts';
import { InProcessTransport } from './in-process-transport.ts';
import type { ListenerOptions } from './listener/https-listener.ts';
import { openApiHandler } from './openapi/openapi-handler.ts';
import { ObjectRegistry } from './registry/object-registry.ts';
import { podActions } from './registry/pod-actions.ts';
import { ServiceAllocations } from './registry/service-allocations.ts';
import type { ApiRequest, ApiResponse } from './request/api-request.ts';
import type { IncomingRequest } from './request/request-handler.ts';
import type { UserInfo } from './request/user-info.ts';
import { StderrLogger } from './stderr-logger.ts';
import { DelayedEvents } from './store/delayed-events.ts';
import { ObjectStore } from './store/object-store.ts';
import { StoredServices } from './webhook/stored-services.ts';
import { WebhookCaller } from './webhook/webhook-caller.ts';
import type { WebhookHandler } from './webhook/webhook-handler.ts';

export interface ApiServerOptions {
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Generates uids, names and allocations; not used for secrets. Default: the system's random source. */
  readonly random?: Random;
  /** Bearer tokens with their users, in addition to the administrator's, which the server creates itself. */
  readonly tokens?: Readonly<Record<string, UserInfo>>;
  /** Controllers by name; `false` disables one, and `false` instead of the record disables all. Default: all are enabled. */
  readonly controllers?: false | Readonly<Record<string, boolean>>;
  /**
   * The delay after which controllers see a change by a client, in milliseconds of the clock. They see their own changes at once. The
   * delay also applies to the effects of CustomResourceDefinitions. Default: 0, and 100 as soon as a server with controllers listens.
   * Clients can then create an object and update it before a controller changes it, as on a real cluster.
   */
  readonly controllerDelayMs?: number;
  /** Optional admission plugins to enable, by upstream's names. Default: none. */
  readonly enableAdmissionPlugins?: readonly 'OwnerReferencesPermissionEnforcement'[];
  /**
   * Receives reports that a user must see, such as an object that its controllers never bring to rest. Requests are not
   * logged. Default: JSON lines on standard error.
   */
  readonly logger?: Logger;
  /** Default: the server records no requests. */
  readonly audit?: AuditOptions;
  /** The range of Services' cluster addresses. Default `10.96.0.0/12`. */
  readonly serviceCidr?: string;
}

/** How to reach a listening server as its administrator. */
export interface ListeningServer {
  readonly url: string;
  readonly port: number;
  /** The CA certificate that signed the server's certificate. */
  readonly caPem: string;
  readonly token: string;
  /** An alternative credential of the administrator. */
  readonly clientCertificate: IssuedCertificate;
}

/** The administrator: the user of the kubeconfig, and of a transport without a user. */
export const administrator: UserInfo = authenticated({ name: 'admin', uid: 'admin', groups: ['system:masters'] });

/** A real server and its controllers take 100 to 190 ms to act on a change. */
const listeningDelayMs = 100;

/** The most writes of the definition controllers in one turn of the event loop; each may compile schemas. */
const definitionWritesMax = 16;

/** The delay after which a server without a socket creates its certificate authority. */
const authorityDelayMs = 100;

/**
 * A Kubernetes API server in this process. Its state is in memory and is lost with it; several servers can run side by
 * side.
 *
 * Requests are handled the same way from a socket and through {@link transport}. The server has no timer that keeps the
 * process alive, and opens no socket before {@link listen}.
 */
export class ApiServer {
  readonly #pipeline: RequestPipeline;
  readonly #tokens: TokenAuthenticator;
  readonly #watches = new OpenWatches();
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #catalog: KindCatalog;
  readonly #registry: ObjectRegistry;
  readonly #closers: (() => void | Promise<void>)[] = [];
  readonly #store = new ObjectStore();
  readonly #events: DelayedEvents;
  /** The users whose changes controllers see at once. */
  readonly #controllers = new Set<unknown>([undefined, definitionController]);
  readonly #listeningDelayMs: number;
  readonly #turns: SyncTurns;
  readonly #logger: Logger;
  readonly #webhooks: WebhookCaller;
  #authority: CertificateAuthority | undefined;
  readonly #authorityWanted = Promise.withResolvers<void>();
  #listening: ListeningServer | undefined;
  #closed = false;

  /** Returns a server that serves requests and whose controllers run. */
  static async create(options: ApiServerOptions = {}): Promise<ApiServer> {
    const clock = options.clock ?? new SystemClock();
    const audit = options.audit && (await (await import('./audit/audit-log.ts')).AuditLog.open(options.audit, clock));
    const server = new ApiServer({ ...options, clock }, audit);
    server.#start(options);
    return server;
  }

  private constructor(options: ApiServerOptions & { readonly clock: Clock }, audit: AuditLog | undefined) {
    this.#clock = options.clock;
    if (audit !== undefined) this.#closers.push(() => audit.close());
    this.#random = options.random ?? new SystemRandom();
    this.#events = new DelayedEvents(this.#store, this.#clock, (writer) => this.#controllers.has(writer));
    this.#events.delayMs = options.controllerDelayMs ?? 0;
    this.#listeningDelayMs = options.controllerDelayMs ?? (options.controllers === false ? 0 : listeningDelayMs);
    this.#closers.push(() => this.#events.close());
    this.#turns = new SyncTurns(this.#clock);
    this.#logger = options.logger ?? new StderrLogger(this.#clock);
    const services = new StoredServices(this.#store, this.#random);
    this.#webhooks = new WebhookCaller({ clock: this.#clock, services });
    this.#closers.push(() => this.#webhooks.close());
    const lookup: ObjectLookup = (plural, namespace, name) => this.#store.get(`/${plural}`, namespace, name)?.object;
    const accountTokens = new ServiceAccountTokens({ clock: this.#clock, random: this.#random, lookup });
    this.#tokens = new TokenAuthenticator(accountTokens);
    const allocator = new ServiceAllocations(options.serviceCidr ?? '10.96.0.0/12', this.#random);
    const authorizer = new RbacAuthorizer(new StoredPolicy(this.#store));
    this.#registry = new ObjectRegistry({
      store: this.#store,
      clock: this.#clock,
      random: this.#random,
      allocator,
      allows: (user, access) =>
        authorizer.authorize({ ...access, user, isResource: true, subresource: '', path: '' }).allowed,
      resourceOf: ({ group, version, kind }) => this.#catalog.findKind(group, version, kind)?.names.plural,
    });
    this.#registry.addAdmission(namespaceLifecycle(this.#store));
    this.#registry.addMutatingAdmission(limitRangeDefaults(this.#store));
    this.#registry.addMutatingAdmission(podAdmission(this.#store));
    this.#registry.addValidatingAdmission(priorityClassAdmission(this.#store));
    this.#registry.addValidatingAdmission(creationByUpdate(authorizer));
    this.#registry.addValidatingAdmission(certificateAdmission(authorizer));
    this.#registry.addValidatingAdmission(limitRangeLimits(this.#store));
    this.#registry.addValidatingAdmission(volumeResize(this.#store));
    this.#catalog = new KindCatalog({
      subresources: new Map([
        ...podActions(this.#registry, (...kind) => this.#catalog.find(...kind)),
        ['serviceaccounts/token', { handle: tokenRequest(accountTokens, lookup), default: defaultTokenRequest }],
      ]),
      reviews: accessReviews(
        () => authorizer,
        () => this.#tokens,
      ),
    });
    this.#registry.addGrantCheck(roleEscalation(authorizer));
    if (options.enableAdmissionPlugins?.includes('OwnerReferencesPermissionEnforcement') === true) {
      this.#registry.addAdmission(ownerReferenceEnforcement(authorizer, this.#catalog));
    }
    const selection = new RequestSelection(this.#store, this.#catalog);
    const deciding = { store: this.#store, selection, authorizer };
    this.#registry.useDynamicAdmission(
      new PoliciesThenWebhooks(
        new PolicyAdmission({ ...deciding, catalog: this.#catalog }),
        new WebhookAdmission({ ...deciding, caller: this.#webhooks, random: this.#random }),
      ),
    );
    this.#registry.useQuota(new ResourceQuotaAdmission(this.#registry, this.#catalog));
    // Separate from those of the controllers: the response to a write waits for its consequences.
    const definitionTurns = new SyncTurns(this.#clock, definitionWritesMax);
    const definitions = serveDefinitions(this.#catalog, this.#registry, this.#events, definitionTurns, this.#webhooks);
    for (const [token, user] of Object.entries(options.tokens ?? {})) this.#tokens.add(token, user);
    this.#pipeline = new RequestPipeline(
      {
        store: this.#store,
        catalog: this.#catalog,
        registry: this.#registry,
        clock: this.#clock,
        random: this.#random,
        watches: this.#watches,
        consequences: (kind) => (kind.storageKey === definitionsStorageKey ? definitions.settled : undefined),
      },
      {
        authenticate: (request, warn) => this.#tokens.authenticate(request, warn),
        authorizer,
        paths: [
          healthHandler,
          discoveryHandler(this.#catalog),
          openApiHandler(this.#catalog, this.#store),
          openIdHandler(tokenIssuer, accountTokens),
        ],
        audit,
      },
    );
  }

  #start({ controllers, serviceCidr = '10.96.0.0/12' }: ApiServerOptions): void {
    bootstrapCluster({ store: this.#store, clock: this.#clock, random: this.#random, serviceCidr });
    if (controllers === false) return;
    const authorityTimer = this.#clock.schedule(authorityDelayMs, this.#authorityWanted.resolve, { unref: true });
    this.#closers.push(() => authorityTimer.cancel());
    for (const controller of embeddedControllers) {
      if (controllers?.[controller.name] !== false) this.#run(controller);
    }
  }

  #run(controller: EmbeddedController): void {
    const user = authenticated({
      name: `system:serviceaccount:kube-system:${controller.account ?? controller.name}`,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system'],
    });
    this.#controllers.add(user);
    const client = new InProcessClient({
      catalog: this.#catalog,
      registry: this.#registry,
      events: this.#events,
      user,
      manager: 'kube-controller-manager',
      turns: this.#turns,
    });
    const stop = controller.start({
      client,
      clock: this.#clock,
      random: this.#random,
      turns: this.#turns,
      logger: this.#logger.child({ controller: controller.name }),
      rootCaPem: async () => {
        if (this.#authority === undefined) await this.#authorityWanted.promise;
        return (await this.#certificateAuthority()).certificatePem;
      },
      authority: () => this.#certificateAuthority(),
    });
    this.#closers.push(() => {
      stop();
      client.close();
    });
  }

  /** Created on first use: a server without a socket and without controllers needs none. */
  async #certificateAuthority(): Promise<CertificateAuthority> {
    const { CertificateAuthority } = await import('@evenkeel/apimachinery/certificate');
    this.#authority ??= new CertificateAuthority('evenkeel', Date.now());
    this.#authorityWanted.resolve();
    return this.#authority;
  }

  /** Handles one request. Never rejects: errors are responses. */
  handle(request: ApiRequest): Promise<ApiResponse> {
    return this.#pipeline.handle(request);
  }

  /**
   * Makes the server call a function of this process in place of the webhook at a URL, without a socket and without TLS. A
   * webhook behind a Service has the URL `https://NAME.NAMESPACE.svc:PORT/PATH`. The function gets the same request as an
   * HTTPS server would, `timeout` parameter included. If it throws, the call fails as if the connection had been lost.
   * Returns a function that ends the registration.
   */
  registerWebhook(url: string, handler: WebhookHandler): () => void {
    return this.#webhooks.register(url, handler);
  }

  /** Returns a transport into the server without a socket. Default user: the administrator. */
  transport(user: UserInfo = administrator): Transport {
    return new InProcessTransport((request) => this.handle(request), authenticated(user));
  }

  /**
   * Opens an HTTPS socket with certificates of the server's own authority, on loopback unless `host` is given. Throws
   * EvenkeelError `port-in-use` if another program uses the port, and `invalid-option` on a second call.
   */
  async listen(options: ListenerOptions = {}): Promise<ListeningServer> {
    if (this.#listening !== undefined) {
      throw new EvenkeelError(
        'invalid-option',
        `the server already listens on ${this.#listening.url}; create another ApiServer to listen again`,
      );
    }
    const authority = await this.#certificateAuthority();
    const { HttpsListener } = await import('./listener/https-listener.ts');
    const listener = await HttpsListener.open(authority, (request) => this.handle(fromSocket(request)), options);
    const { certificatePem, privateKeyPem } = authority.issue({
      commonName: administrator.name,
      organizations: ['system:masters'],
      usage: 'client',
    });
    this.#listening = {
      url: listener.url,
      port: listener.port,
      caPem: authority.certificatePem,
      token: this.#tokens.issue(administrator),
      clientCertificate: { certificatePem, privateKeyPem },
    };
    this.#closers.push(() => listener.close());
    this.#events.delayMs = this.#listeningDelayMs;
    return this.#listening;
  }

  /** Writes a kubeconfig for the administrator that only its owner can read. The server must be listening. */
  async writeKubeconfig(file: string): Promise<void> {
    if (this.#listening === undefined) {
      throw new EvenkeelError('invalid-option', 'the server is not listening; call listen() before writeKubeconfig()');
    }
    const { url, caPem, token } = this.#listening;
    const { writeKubeconfig } = await import('./listener/kubeconfig.ts');
    await writeKubeconfig(file, { name: 'evenkeel', server: url, certificateAuthorityPem: caPem, token });
  }

  /** Stops the controllers, ends every watch and closes the sockets. Further calls do nothing. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const watch of this.#watches) watch.end();
    for (const close of this.#closers.reverse()) await close();
  }
}

/** The request of a socket; a client certificate of the server's authority identifies its user. */
function fromSocket({ url, clientCertificate, ...request }: IncomingRequest): ApiRequest {
  if (clientCertificate === undefined) return { ...request, path: url };
  const { commonName, organizations, hash } = clientCertificate;
  const extra = { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${hash}`] };
  return { ...request, path: url, user: authenticated({ name: commonName, groups: organizations, extra }) };
}
