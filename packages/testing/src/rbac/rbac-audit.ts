import { ruleAllows } from '@evenkeel/apimachinery/rbac';
import { readBody } from '@evenkeel/client';
import {
  type ApiStatus,
  type ConcreteClass,
  type ControllerPlan,
  controllerMistakeText,
  EvenkeelError,
  planControllers,
  type ServiceEntry,
  serviceClassesOf,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@evenkeel/core';
import {
  type Access,
  combinedResource,
  deriveRoles,
  describeAccess,
  fixOfRejection,
  type KindNames,
  type OperatorIdentity,
  type OperatorOptions,
  planRbac,
  policyRuleOf,
  type RbacRole,
  type RbacRule,
  roleAllows,
} from '@evenkeel/core/rbac';
import { planWebhooks, policyKindsIn } from '@evenkeel/core/webhook';
import { everyonesRole } from './everyones-role.ts';
import { kindNames, pluralOfKind } from './kind-names.ts';
import { grantRoles, impersonating, revokeRoles, tokenOf } from './operator-account.ts';
import { accessOf, blockedOwnersOf, changesOwners } from './request-access.ts';

/** The properties of the value of `defineOperator()` fit, so it can be spread. */
export interface RbacAuditOptions extends Pick<OperatorOptions, 'namespaces' | 'metricsAuthentication'> {
  /** An administrator's transport; the caller closes it after the audit. */
  readonly transport: Transport;
  /** The operator's controllers, as its manager gets them. */
  readonly controllers: readonly ConcreteClass[];
  /** The operator's webhooks, as its manager gets them. Default: none. */
  readonly webhooks?: readonly ConcreteClass[];
  /** The oldest Kubernetes on which the operator runs, as its manager gets it. Default `1.31`. */
  readonly minServerVersion?: string | undefined;
  /** The operator's services, as its manager gets them. Default: none. */
  readonly services?: readonly ServiceEntry[];
  /** The operator's runnables, as its manager gets them. Only classes can have `@Rbac`. Default: none. */
  readonly runnables?: readonly object[];
  /** The Lease of the leader election. The default of its namespace is that of `identity`. Default: no leader election. */
  readonly leaderElection?: { readonly name: string; readonly namespace?: string } | undefined;
  /** The operator's identity on the server. Default: the ServiceAccount `rbac-audit` in the namespace `default`. */
  readonly identity?: OperatorIdentity;
  /**
   * Opens a connection with a bearer token of the ServiceAccount. The audit closes it. Default: the administrator's
   * transport impersonates the ServiceAccount, which RBAC treats in the same way.
   */
  readonly connect?: (token: string) => Transport | Promise<Transport>;
}

/**
 * Enforces the roles that are derived from an operator's declarations, and records which of their rules the operator
 * uses.
 *
 * ```ts
 * audit = await RbacAudit.create({ transport, controllers: [NginxController], namespaces: ['default'] });
 * manager = await createManager({ transport: audit.transport, controllers: [NginxController], namespaces: ['default'] });
 * // ... the suite ...
 * expect(audit.refused).toEqual([]);
 * expect(audit.unusedDeclarations).toEqual([]);
 * ```
 *
 * Stop the manager and close the audit in `afterAll` or `finally`, not after an assertion, because a running manager
 * keeps the test from exiting. docs/rbac.md has a whole test.
 *
 * The audit creates a ServiceAccount with roles and bindings on the server, as `evenkeel generate` would write them.
 * {@link transport} sends as that ServiceAccount, so the server rejects what the roles do not allow. The audit also
 * checks each request against the roles itself, so it works with a server that does not enforce RBAC. It collects the
 * results of all managers that use it.
 */
export class RbacAudit {
  readonly roles: readonly RbacRole[];
  /** The operator's transport. */
  readonly transport: Transport;
  readonly #plans: readonly ControllerPlan[];
  readonly #nameOf: KindNames;
  /** Each once, in order. */
  readonly #refused = new Set<string>();
  readonly #used = new Map<RbacRule, Set<string>>();
  /** `verb target` of the permissions that Evenkeel itself may need. */
  readonly #reserve: ReadonlySet<string>;

  readonly #remove: () => Promise<void>;

  private constructor(
    plans: readonly ControllerPlan[],
    roles: readonly RbacRole[],
    connection: Transport,
    { witness, webhookHost }: Pick<Transport, 'witness' | 'webhookHost'>,
    remove: () => Promise<void>,
  ) {
    this.#remove = remove;
    this.#plans = plans;
    this.#nameOf = kindNames(plans);
    this.#reserve = reserveOf(plans, roles);
    this.roles = roles;
    this.transport = {
      request: (request) => this.#send(connection, request),
      close: () => connection.close(),
      witness,
      webhookHost,
    };
  }

  /** Throws the errors of `createManager()` for invalid declarations, and a StatusError if the server rejects the roles. */
  static async create(options: RbacAuditOptions): Promise<RbacAudit> {
    const {
      transport,
      controllers,
      webhooks = [],
      services = [],
      runnables = [],
      connect,
      namespaces,
      metricsAuthentication,
    } = options;
    const identity = options.identity ?? { name: 'rbac-audit', namespace: 'default', serviceAccount: 'rbac-audit' };
    const leaderElection =
      options.leaderElection === undefined
        ? undefined
        : {
            name: options.leaderElection.name,
            namespace: options.leaderElection.namespace ?? identity.namespace,
          };
    const classes = runnables.filter((runnable) => typeof runnable === 'function') as unknown as ConcreteClass[];
    const { plans, mistakes } = planControllers(controllers);
    const reviewing = planWebhooks(webhooks, plans, { policyKinds: policyKindsIn(options.minServerVersion) });
    const [mistake] = [...mistakes, ...reviewing.mistakes];
    if (mistake !== undefined) throw new EvenkeelError(mistake.code, controllerMistakeText(mistake));
    const asked = serviceClassesOf([...services, ...classes]).flatMap((service) =>
      planRbac(service, ({ code, message }) => {
        throw new EvenkeelError(code, `${service.name}: ${message}`);
      }),
    );
    const roles = deriveRoles({
      plans,
      webhooks: reviewing.plans,
      services: asked,
      namespaces,
      leaderElection,
      metricsAuthentication,
    });
    await grantRoles(transport, roles, identity);
    const connection =
      connect === undefined ? impersonating(transport, identity) : await connect(await tokenOf(transport, identity));
    // A connection to a real server, which `connect` opens, belongs to no test environment.
    const { witness = transport.witness, webhookHost = transport.webhookHost } = connection;
    return new RbacAudit(plans, roles, connection, { witness, webhookHost }, () =>
      revokeRoles(transport, roles, identity),
    );
  }

  /**
   * The requests that the roles do not allow, and those that the server rejected although the roles allow them: one
   * sentence each, with the decorator to add. Each type of request is listed once.
   */
  get refused(): string[] {
    return [...this.#refused];
  }

  /**
   * The verbs of rules that no request needed, per group and resource or path, with the reason of the rule. It lists
   * all of them, so it is not empty for an operator that sent no Event, or that met no server without watch lists.
   * {@link unusedDeclarations} lists only those that depend on the operator's code.
   */
  get unused(): string[] {
    return [...this.#unused().values()];
  }

  /**
   * {@link unused} without the permissions that an operator has for Evenkeel: Events, which report objects that are
   * invalid, rejected or written in a loop, `list` of watched kinds, for servers without watch lists, and those of leader
   * election, certificates, and the authentication of requests for metrics.
   */
  get unusedDeclarations(): string[] {
    return [...this.#unused()].filter(([what]) => !this.#reserve.has(what)).map(([, text]) => text);
  }

  /**
   * The same account on a simulated server without watch lists, as servers before 1.32. Evenkeel then sends lists,
   * which the roles therefore allow. Start the operator once on it, when no other manager of it runs; otherwise `list` counts as unused.
   */
  get withoutWatchList(): Transport {
    return {
      request: async (request) =>
        request.method === 'GET' && request.path.includes('sendInitialEvents=true')
          ? rejection(withoutWatchListStatus)
          : await this.transport.request(request),
      close: async () => undefined,
      witness: this.transport.witness,
      webhookHost: this.transport.webhookHost,
    };
  }

  /**
   * Closes {@link transport}, and deletes the ServiceAccount with its roles and bindings, for a cluster that continues
   * to exist.
   */
  async close(): Promise<void> {
    await this.transport.close();
    await this.#remove();
  }

  /** Descriptions by `verb target`. */
  #unused(): Map<string, string> {
    const rules = this.roles.flatMap(({ rules }) => rules);
    const used = new Set(
      rules.flatMap((rule) => [...(this.#used.get(rule) ?? [])].map((verb) => `${verb} ${targetOf(rule)}`)),
    );
    const unused = new Map<string, string>();
    for (const rule of rules) {
      for (const verb of rule.verbs) {
        const what = `${verb} ${targetOf(rule)}`;
        const why = rule.reasons.filter((reason) => reason.slice(0, reason.indexOf(':')).split(', ').includes(verb));
        if (!used.has(what)) unused.set(what, `${what} was never needed (${why.join('; ')})`);
      }
    }
    return unused;
  }

  async #send(connection: Transport, request: TransportRequest): Promise<TransportResponse> {
    const access = accessOf(request);
    this.#note(access);
    const response = await connection.request(request);
    // An apply that creates an object also needs `create`, which the server checks.
    if (request.method === 'PATCH' && response.status === 201) this.#note({ ...access, verb: 'create' });
    if (response.status >= 200 && response.status < 300 && 'group' in access) {
      for (const { group, kind, name } of blockedOwnersOf(request)) {
        const resource = pluralOfKind(this.#plans, group, kind);
        if (resource === undefined) continue;
        const { namespace } = access;
        this.#note({ verb: 'update', group, resource, subresource: 'finalizers', namespace, name });
      }
    }
    // For an existing object, the server checks whether a client that changes its owners may delete it.
    if (response.status === 200 && 'group' in access && access.subresource === '' && changesOwners(request)) {
      this.#use({ ...access, verb: 'delete' });
    }
    if (response.status !== 403) return response;
    const body = await readBody(response);
    this.#refusedByServer(access, body);
    return { status: response.status, headers: response.headers, body: chunks(body) };
  }

  /** Marks the rules that allow a request, or records that none does. */
  #note(access: Access): void {
    if (roleAllows(everyonesRole, access) || this.#use(access)) return;
    const where = 'path' in access || access.namespace === '' ? '' : ` in ${access.namespace}`;
    const fix = fixOfRejection(access, this.roles, this.#nameOf);
    this.#refused.add(`${describeAccess(access)}${where} is not in the roles; ${fix}`);
  }

  /** Marks the rules that allow a request; returns whether there are any. */
  #use(access: Access): boolean {
    const allowing = this.roles.filter((role) => roleAllows(role, access));
    for (const rule of allowing.flatMap(({ rules }) => rules.filter((it) => ruleAllows(policyRuleOf(it), access)))) {
      const verbs = this.#used.get(rule) ?? new Set();
      verbs.add(access.verb);
      this.#used.set(rule, verbs);
    }
    return allowing.length > 0;
  }

  /** Records a rejection of a request that the roles allow; the others are recorded already. */
  #refusedByServer(access: Access, body: Buffer): void {
    if (![everyonesRole, ...this.roles].some((role) => roleAllows(role, access))) return;
    let status: Partial<ApiStatus> = {};
    try {
      status = JSON.parse(body.toString('utf8')) as ApiStatus;
    } catch {
      // Report a body that is not JSON unchanged.
    }
    // This is not about roles: a terminating namespace accepts no new objects.
    if (status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true) return;
    this.#refused.add(
      `${describeAccess(access)} was rejected by the server: ${status.message ?? body.toString('utf8').slice(0, 500)}`,
    );
  }
}

/** The permissions that are derived without `@Rbac`, and that the declarations do not use. */
function reserveOf(plans: readonly ControllerPlan[], roles: readonly RbacRole[]): Set<string> {
  const derived = deriveRoles({ plans: plans.map((plan) => ({ ...plan, rbac: [] })) });
  const watching = permissionsIn(derived).filter((what) => /^list | events\.events\.k8s\.io$/.test(what));
  const declared = new Set(permissionsIn(roles.filter(({ part }) => part === 'operator')));
  const ofOtherParts = permissionsIn(roles.filter(({ part }) => part !== 'operator'));
  return new Set([...watching, ...ofOtherParts.filter((what) => !declared.has(what))]);
}

/** `verb target` of each permission. */
function permissionsIn(roles: readonly RbacRole[]): string[] {
  return roles.flatMap(({ rules }) => rules.flatMap((rule) => rule.verbs.map((verb) => `${verb} ${targetOf(rule)}`)));
}

function targetOf(rule: RbacRule): string {
  if ('path' in rule) return rule.path;
  const [resource = '', subresource = ''] = rule.resource.split('/');
  const groupResource = rule.group === '' ? resource : `${resource}.${rule.group}`;
  return combinedResource({ resource: groupResource, subresource });
}

/** The response of a server with the feature gate WatchList disabled. */
const withoutWatchListStatus = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message:
    'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
  reason: 'Invalid',
  code: 422,
} as const;

function rejection(status: typeof withoutWatchListStatus): TransportResponse {
  const body = Buffer.from(JSON.stringify(status));
  return { status: status.code, headers: { 'content-type': 'application/json' }, body: chunks(body) };
}

async function* chunks(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body;
}
