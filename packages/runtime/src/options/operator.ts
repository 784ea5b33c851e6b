import { placesOf, recordCall, type StackPlace } from '@evenkeel/core';
import type { LeaderElectionOptions } from '../election/election-timing.ts';
import type { ManagerOptions } from './manager-options.ts';

/** What an operator is: everything that its roles and its program must agree on. See {@link defineOperator}. */
export interface OperatorDeclaration
  extends Pick<
    ManagerOptions,
    | 'controllers'
    | 'webhooks'
    | 'minServerVersion'
    | 'conversions'
    | 'webhookServer'
    | 'services'
    | 'runnables'
    | 'cache'
    | 'validator'
  > {
  /** The name, or the start of the names, of the operator's roles, bindings, ServiceAccount and Lease. A DNS subdomain. */
  readonly name: string;
  /**
   * The namespaces that the operator watches. Each gets a Role instead of one ClusterRole. The setting `namespaces` of a run can
   * select some of them. Default: all, with a ClusterRole.
   */
  readonly namespaces?: readonly string[];
  /**
   * Of all processes with the same Lease, only the leader is active; see `ManagerOptions.leaderElection`. `true` is the same as
   * `{}`. The Lease has the operator's name by default. Default: none, every process is active, and the roles do not include
   * the Lease.
   */
  readonly leaderElection?: boolean | (Omit<LeaderElectionOptions, 'name' | 'stepIn'> & { readonly name?: string });
  /**
   * Whether the operator asks the API server who may read its metrics, as it does at every address except a loopback address.
   * Default: false.
   */
  readonly metricsAuthentication?: boolean;
}

/** The value of {@link defineOperator}. Its properties are those of the declaration, with defaults. */
export class Operator {
  readonly name: string;
  readonly controllers: OperatorDeclaration['controllers'];
  readonly webhooks?: NonNullable<OperatorDeclaration['webhooks']>;
  readonly minServerVersion?: NonNullable<OperatorDeclaration['minServerVersion']>;
  readonly conversions?: NonNullable<OperatorDeclaration['conversions']>;
  readonly webhookServer?: NonNullable<OperatorDeclaration['webhookServer']>;
  readonly services?: NonNullable<OperatorDeclaration['services']>;
  readonly runnables?: NonNullable<OperatorDeclaration['runnables']>;
  readonly namespaces?: NonNullable<OperatorDeclaration['namespaces']>;
  readonly cache?: NonNullable<OperatorDeclaration['cache']>;
  readonly validator?: NonNullable<OperatorDeclaration['validator']>;
  /** Undefined without leader election. */
  readonly leaderElection?: LeaderElectionOptions;
  readonly metricsAuthentication?: boolean;
  readonly #declaration: OperatorDeclaration;
  /** V8 formats its stack only when it is read. */
  readonly #call = recordCall(defineOperator);

  /** Use {@link defineOperator}. */
  constructor(declaration: OperatorDeclaration) {
    const { name, leaderElection } = declaration;
    this.name = name;
    this.controllers = declaration.controllers;
    this.webhooks = declaration.webhooks;
    this.minServerVersion = declaration.minServerVersion;
    this.conversions = declaration.conversions;
    this.webhookServer = declaration.webhookServer;
    this.services = declaration.services;
    this.runnables = declaration.runnables;
    this.namespaces = declaration.namespaces;
    this.cache = declaration.cache;
    this.validator = declaration.validator;
    this.leaderElection = electionOf(name, leaderElection);
    this.metricsAuthentication = declaration.metricsAuthentication;
    this.#declaration = declaration;
    // A spread of the operator must not override other options with undefined.
    for (const key of Object.keys(this)) if (Reflect.get(this, key) === undefined) Reflect.deleteProperty(this, key);
    Object.freeze(this);
  }

  /** What `defineOperator()` was called with. For programs that check a declaration. */
  get declaration(): OperatorDeclaration {
    return this.#declaration;
  }

  /** The line that called `defineOperator()`, if it is known. */
  get place(): StackPlace | undefined {
    return placesOf(this.#call)[0];
  }
}

function electionOf(
  name: string,
  given: OperatorDeclaration['leaderElection'] = false,
): LeaderElectionOptions | undefined {
  if (given === false) return undefined;
  return { name, ...(given === true ? {} : given) };
}

/**
 * Declares an operator, once for everything that must know it: `evenkeel generate` derives the roles from it, `evenkeel dev`
 * runs it, and so does the program with {@link Manager.run}. It only records: it creates no instance, opens no connection and
 * checks nothing. Those who use the declaration report its mistakes.
 *
 * ```ts
 * // src/operator.ts, which evenkeel.config.ts and src/main.ts import
 * export const operator = defineOperator({ name: 'nginx-operator', controllers: [NginxController] });
 * ```
 */
export function defineOperator(declaration: OperatorDeclaration): Operator {
  return new Operator(declaration);
}
