import type { RequestedKind } from '@evenkeel/client';
import { controllerMistakeText, EvenkeelError, groupResourceOf, planControllers, type Transport } from '@evenkeel/core';
import type { Environment, Stoppable } from '../environment.ts';
import { impersonating } from '../rbac/operator-account.ts';
import { RbacAudit, type RbacAuditOptions } from '../rbac/rbac-audit.ts';
import { crashSweep } from '../sweeps/crash-sweep.ts';
import { type FaultSweepOptions, faultSweep } from '../sweeps/fault-sweep.ts';
import { type ForeignObjectSweepReport, foreignObjectSweep } from '../sweeps/foreign-object-sweep.ts';
import { faultlessRound, type SweepReport } from '../sweeps/sweep.ts';
import type { SweepConnection } from '../sweeps/sweep-options.ts';

/** The options of {@link verifyOperator}: those of the sweeps, and the declaration of the operator. */
export interface VerifyOperatorOptions<K extends RequestedKind = RequestedKind>
  extends Omit<FaultSweepOptions<K>, 'kinds' | 'environment'> {
  /** The environment of operator and scenario, which is not closed. */
  readonly environment: FaultSweepOptions['environment'] & Pick<Environment, 'transport'>;
  /** The value of `defineOperator()`: its roles are tested. */
  readonly declaration: Omit<RbacAuditOptions, 'transport' | 'namespaces' | 'identity' | 'connect'>;
  /** The kinds whose objects are compared at the end of each round. Default: those that the controllers reconcile and own. */
  readonly kinds?: readonly K[];
}

/** The result of {@link verifyOperator}. */
export interface OperatorReport {
  readonly crashes: SweepReport;
  readonly faults: SweepReport;
  readonly foreignObjects: ForeignObjectSweepReport;
  /** The number of permissions in the roles: the verbs of all rules. */
  readonly permissions: number;
  /** The counts as text, such as `crash sweep: 27 rounds, killed before, during and after each of 9 writes`. */
  readonly lines: readonly string[];
}

/**
 * Tests what every operator should survive, with one scenario:
 * - `crashSweep()`: it is killed at each write, at each of three moments
 * - `faultSweep()`: each of its calls fails in each way
 * - `foreignObjectSweep()`: the names of its children are taken
 * - {@link RbacAudit}: its roles allow what it does, and nothing else
 * - after a restart with nothing to do, it sends no write
 *
 * ```ts
 * const report = await verifyOperator({
 *   environment,
 *   declaration: operator,
 *   operator: async (connection) => {
 *     const manager = await createManager({ ...operator, ...connection });
 *     await manager.start();
 *     return manager;
 *   },
 *   scenario: async ({ client, namespace, eventually }) => { ... },
 * });
 * ```
 *
 * The scenario must need all permissions of the operator. Permissions that every operator has for Evenkeel need not be used. An
 * environment with a {@link HurriedClock} saves the backoffs.
 *
 * Rejects with the errors of the sweeps, and with `operator-not-verified` for wrong roles and idle writes.
 */
export async function verifyOperator<K extends RequestedKind>(
  options: VerifyOperatorOptions<K>,
): Promise<OperatorReport> {
  const { declaration, kinds = declaredKinds(declaration) as readonly K[] } = options;
  const swept: FaultSweepOptions<K> = { ...options, kinds };
  const permissions = await checkPermissions(swept, options.environment.transport, declaration);
  const crashes = await crashSweep(swept);
  const faults = await faultSweep(swept);
  const foreignObjects = await foreignObjectSweep(swept);
  return {
    ...{ crashes, faults, foreignObjects, permissions },
    lines: [
      `permissions: ${permissions} (0 missing, 0 unused)`,
      'restart without a change: 0 writes',
      `crash sweep: ${crashes.rounds} rounds, killed before, during and after each of ${crashes.writes.length} writes`,
      `fault sweep: ${faults.rounds} rounds, every possible fault at each of ${faults.calls.length} calls`,
      `foreign objects: ${foreignObjects.rounds} rounds, names of children already in use: ${foreignObjects.children.length}`,
    ],
  };
}

/** The kinds that the controllers reconcile and own. */
function declaredKinds({ controllers }: VerifyOperatorOptions['declaration']): readonly RequestedKind[] {
  const { plans, mistakes } = planControllers(controllers);
  const [mistake] = mistakes;
  if (mistake !== undefined) throw new EvenkeelError(mistake.code, controllerMistakeText(mistake));
  const kinds = plans.flatMap((plan) => [plan, ...plan.owns]);
  return [...new Map(kinds.map(({ kind, resource }) => [groupResourceOf(resource), kind])).values()];
}

/**
 * Runs the scenario with the permissions of the roles, and restarts the operator with nothing to do. Returns the number of permissions.
 */
async function checkPermissions<K extends RequestedKind>(
  options: FaultSweepOptions<K>,
  admin: Transport,
  declaration: VerifyOperatorOptions['declaration'],
): Promise<number> {
  const audits: RbacAudit[] = [];
  const operator = async (connection: SweepConnection): Promise<Stoppable> => {
    const { namespaces } = connection;
    const identity = { name: 'verified', namespace: namespaces[0] ?? '', serviceAccount: 'verified' };
    const audit = await RbacAudit.create({
      ...declaration,
      ...{ transport: admin, namespaces, identity },
      // The round counts only what the operator sends.
      connect: () => impersonating(connection.transport, identity),
    });
    audits.push(audit);
    const running = await options.operator({ ...connection, transport: audit.transport });
    let stopping: Promise<void> | undefined;
    const stop = async (): Promise<void> => {
      await running.stop();
      await audit.close();
    };
    // The environment stops it again.
    return { stop: () => (stopping ??= stop()) };
  };
  const refused = (): string[] => [...new Set(audits.flatMap((audit) => audit.refused))];
  const { idleWrites } = await faultlessRound({ ...options, operator }).catch((error: unknown) => {
    // The scenario usually cannot end without a permission.
    throw refused().length > 0 ? notVerified(refused(), error) : error;
  });
  const [first, ...others] = audits;
  const unused = first?.unusedDeclarations.filter((text) =>
    others.every(({ unusedDeclarations }) => unusedDeclarations.includes(text)),
  );
  const mistakes = [
    ...refused(),
    ...(unused ?? []),
    ...idleWrites.map(
      (write) =>
        `after a restart, the operator sent ${write} although nothing had changed; compare with the current state before a write`,
    ),
  ];
  if (mistakes.length > 0) throw notVerified(mistakes);
  return first?.roles.flatMap(({ rules }) => rules.flatMap(({ verbs }) => verbs)).length ?? 0;
}

function notVerified(mistakes: readonly string[], cause?: unknown): EvenkeelError {
  return new EvenkeelError(
    'operator-not-verified',
    `the operator's roles do not match its requests, or it writes without a reason\n${mistakes.join('\n')}`,
    cause === undefined ? {} : { cause },
  );
}
