import { ruleAllows } from '@evenkeel/apimachinery/rbac';
import { readBody } from '@evenkeel/client';
import {
  type ApiStatus,
  type ConcreteClass,
  type ControllerPlan,
  controllerMistakeText,
  EvenkeelError,
  planControllers,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@evenkeel/core';
import {
  type Access,
  combinedResource,
  deriveRoles,
  describeAccess,
  type KindNames,
  mendOfRefusal,
  type OperatorIdentity,
  type OperatorOptions,
  planRbac,
  policyRuleOf,
  type RbacRole,
  type RbacRule,
  roleAllows,
} from '@evenkeel/core/rbac';
import { everyonesRole } from './everyones-role.ts';
import { kindNames, pluralOfKind } from './kind-names.ts';
import { grantRoles, impersonating, revokeRoles, tokenOf } from './operator-account.ts';
import { accessOf, blockedOwnersOf, changesOwners } from './request-access.ts';

export interface RbacAuditOptions
  extends Pick<OperatorOptions, 'namespaces' | 'leaderElection' | 'metricsAuthentication'> {
  /** A way to the server as an administrator; the caller closes it, after the audit's. */
  readonly transport: Transport;
  /** The controllers of the operator, as its manager is given them. */
  readonly controllers: readonly ConcreteClass[];
  /** Its services and runnables. Default: none. */
  readonly services?: readonly ConcreteClass[];
  /** Who the operator is on the server. Default: the ServiceAccount `rbac-audit` in the namespace `default`. */
  readonly identity?: OperatorIdentity;
  /**
   * Opens a connection with a bearer token, which is then one of the ServiceAccount. The audit closes it. Default: the
   * administrator's transport impersonates the ServiceAccount, which RBAC treats the same.
   */
  readonly connect?: (token: string) => Transport | Promise<Transport>;
}

/**
 * Holds an operator to the roles that are derived from its declarations, and watches which of their rules it uses.
 *
 * ```ts
 * audit = await RbacAudit.create({ transport, controllers: [NginxController], namespaces: ['default'] });
 * manager = await createManager({ transport: audit.transport, controllers: [NginxController], namespaces: ['default'] });
 * // ... the suite ...
 * expect(audit.refused).toEqual([]);
 * expect(audit.unusedDeclarations).toEqual([]);
 * ```
 *
 * Stop the manager and close the audit in `afterAll` or `finally`, not behind an assertion: a test does not end while a manager
 * runs. docs/rbac.md has a whole test.
 *
 * It creates a ServiceAccount with its roles and bindings on the server, as `evenkeel generate` would write them, and
 * {@link transport} sends as that ServiceAccount: the server refuses what the roles do not allow. A server that enforces no
 * RBAC at all is judged the same, because each request is held against the roles here too. What is seen stays seen until the
 * audit is gone, over any number of managers.
 */
export class RbacAudit {
  readonly roles: readonly RbacRole[];
  /** What the operator is given. */
  readonly transport: Transport;
  readonly #plans: readonly ControllerPlan[];
  readonly #nameOf: KindNames;
  /** Each once, in the order in which they came. */
  readonly #refused = new Set<string>();
  readonly #used = new Map<RbacRule, Set<string>>();
  /** `verb target` of what is granted for Evenkeel's own use. */
  readonly #reserve: ReadonlySet<string>;

  readonly #remove: () => Promise<void>;

  private constructor(
    plans: readonly ControllerPlan[],
    roles: readonly RbacRole[],
    connection: Transport,
    remove: () => Promise<void>,
  ) {
    this.#remove = remove;
    this.#plans = plans;
    this.#nameOf = kindNames(plans);
    this.#reserve = reserveOf(plans);
    this.roles = roles;
    this.transport = {
      request: (request) => this.#send(connection, request),
      close: () => connection.close(),
    };
  }

  /** Throws what `createManager()` throws for wrong declarations, and a StatusError where the server refuses the roles. */
  static async create(options: RbacAuditOptions): Promise<RbacAudit> {
    const {
      transport,
      controllers,
      services = [],
      connect,
      namespaces,
      leaderElection,
      metricsAuthentication,
    } = options;
    const identity = options.identity ?? { name: 'rbac-audit', namespace: 'default', serviceAccount: 'rbac-audit' };
    const { plans, mistakes } = planControllers(controllers);
    const [mistake] = mistakes;
    if (mistake !== undefined) throw new EvenkeelError(mistake.code, controllerMistakeText(mistake));
    const asked = services.flatMap((service) =>
      planRbac(service, ({ code, message }) => {
        throw new EvenkeelError(code, `${service.name}: ${message}`);
      }),
    );
    const roles = deriveRoles({ plans, services: asked, namespaces, leaderElection, metricsAuthentication });
    await grantRoles(transport, roles, identity);
    const connection =
      connect === undefined ? impersonating(transport, identity) : await connect(await tokenOf(transport, identity));
    return new RbacAudit(plans, roles, connection, () => revokeRoles(transport, roles, identity));
  }

  /**
   * The requests that the roles do not allow, and those that the server refused although they do: a sentence each, with the
   * decorator to add. Each sort of request is told once.
   */
  get refused(): string[] {
    return [...this.#refused];
  }

  /**
   * The verbs of rules that no request has needed, per group and resource or path, with why they are there: all of them, so
   * that an operator that sent no Event, and met no server without lists by watching, has some. {@link unusedDeclarations} has
   * those that are a matter of its code.
   */
  get unused(): string[] {
    return [...this.#unused().values()];
  }

  /**
   * {@link unused} without what Evenkeel keeps ready whatever an operator does: Events, by which it tells of objects that are
   * invalid, written in a loop or refused, and `list` of what is watched, for servers that send no list by watching.
   */
  get unusedDeclarations(): string[] {
    return [...this.#unused()].filter(([what]) => !this.#reserve.has(what)).map(([, text]) => text);
  }

  /**
   * The same account at a server that does not know how to send a list by watching, as those before 1.32: what such a one is
   * asked for instead, lists, is part of the roles. Start the operator once on it, or `list` counts as unused.
   */
  get withoutWatchList(): Transport {
    return {
      request: async (request) =>
        request.method === 'GET' && request.path.includes('sendInitialEvents=true')
          ? refusal(withoutWatchListStatus)
          : await this.transport.request(request),
      close: async () => undefined,
    };
  }

  /** Closes {@link transport}, and removes the ServiceAccount with its roles and bindings, for a cluster that stays. */
  async close(): Promise<void> {
    await this.transport.close();
    await this.#remove();
  }

  /** Texts by `verb target`. */
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
    // An apply of what is not there is a create too, and the server asks about that as well.
    if (request.method === 'PATCH' && response.status === 201) this.#note({ ...access, verb: 'create' });
    if (response.status >= 200 && response.status < 300 && 'group' in access) {
      for (const { group, kind, name } of blockedOwnersOf(request)) {
        const resource = pluralOfKind(this.#plans, group, kind);
        if (resource === undefined) continue;
        const { namespace } = access;
        this.#note({ verb: 'update', group, resource, subresource: 'finalizers', namespace, name });
      }
    }
    // Of an object that is there, the server asks whether who changes its owners may delete it.
    if (response.status === 200 && 'group' in access && access.subresource === '' && changesOwners(request)) {
      this.#use({ ...access, verb: 'delete' });
    }
    if (response.status !== 403) return response;
    const body = await readBody(response);
    this.#refusedByServer(access, body);
    return { status: response.status, headers: response.headers, body: chunks(body) };
  }

  /** Marks the rules that allow it, or tells that none does. */
  #note(access: Access): void {
    if (roleAllows(everyonesRole, access) || this.#use(access)) return;
    const where = 'path' in access || access.namespace === '' ? '' : ` in ${access.namespace}`;
    const mend = mendOfRefusal(access, this.roles, this.#nameOf);
    this.#refused.add(`${describeAccess(access)}${where} is not in the roles: ${mend}`);
  }

  /** Marks the rules that allow it; whether there are any. */
  #use(access: Access): boolean {
    const allowing = this.roles.filter((role) => roleAllows(role, access));
    for (const rule of allowing.flatMap(({ rules }) => rules.filter((it) => ruleAllows(policyRuleOf(it), access)))) {
      const verbs = this.#used.get(rule) ?? new Set();
      verbs.add(access.verb);
      this.#used.set(rule, verbs);
    }
    return allowing.length > 0;
  }

  /** Of what the roles allow; the rest is told already. */
  #refusedByServer(access: Access, body: Buffer): void {
    if (![everyonesRole, ...this.roles].some((role) => roleAllows(role, access))) return;
    let status: Partial<ApiStatus> = {};
    try {
      status = JSON.parse(body.toString('utf8')) as ApiStatus;
    } catch {
      // What is no JSON is told as it is.
    }
    // Not a matter of roles: nothing new is made in a namespace that ends.
    if (status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true) return;
    this.#refused.add(
      `${describeAccess(access)} was refused: ${status.message ?? body.toString('utf8').slice(0, 500)}`,
    );
  }
}

/** What is derived without anybody's `@Rbac`, and not for what the declarations make the operator do. */
function reserveOf(plans: readonly ControllerPlan[]): Set<string> {
  const derived = deriveRoles({ plans: plans.map((plan) => ({ ...plan, rbac: [] })) }).flatMap(({ rules }) => rules);
  return new Set(
    derived.flatMap((rule) =>
      rule.verbs
        .filter((verb) => verb === 'list' || targetOf(rule) === 'events.events.k8s.io')
        .map((verb) => `${verb} ${targetOf(rule)}`),
    ),
  );
}

function targetOf(rule: RbacRule): string {
  if ('path' in rule) return rule.path;
  const [resource = '', subresource = ''] = rule.resource.split('/');
  const groupResource = rule.group === '' ? resource : `${resource}.${rule.group}`;
  return combinedResource({ resource: groupResource, subresource });
}

/** As a server answers whose feature gate WatchList is off. */
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

function refusal(status: typeof withoutWatchListStatus): TransportResponse {
  const body = Buffer.from(JSON.stringify(status));
  return { status: status.code, headers: { 'content-type': 'application/json' }, body: chunks(body) };
}

async function* chunks(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body;
}
