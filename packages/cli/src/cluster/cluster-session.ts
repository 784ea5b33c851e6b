import type { Client, Connection } from '@evenkeel/client';
import {
  type Clock,
  EvenkeelError,
  isForbidden,
  isUnauthorized,
  StatusError,
  SystemClock,
  type Transport,
} from '@evenkeel/core';
import { listenForStopSignal } from '@evenkeel/runtime';
import { interruptedCode } from '../exit-codes.ts';
import type { DeployedOperator, GeneratedDeployment, GenerationRequest } from '../generate/generation.ts';
import { reportFindings } from '../generate/report.ts';
import type { CommandTerminal } from '../report/command-terminal.ts';
import { timeoutOf } from '../timeout-option.ts';
import { withCluster } from './cluster-client.ts';
import { ClusterObjects } from './cluster-objects.ts';
import { ClusterReport } from './cluster-report.ts';
import { managerOf } from './field-manager.ts';
import { type GeneratedOutput, generatedDeployment } from './generated-deployment.ts';

/** The options that all commands for a cluster share, as strings from the command line. */
export interface ClusterOptions {
  readonly config?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly timeout: string;
}

/** The project and the cluster of a command. */
export interface ClusterSession {
  readonly client: Client;
  readonly clock: Clock;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly terminal: CommandTerminal;
  readonly report: ClusterReport;
  readonly objects: GeneratedDeployment['objects'];
  /** Undefined for a project without an operator. */
  readonly operator: DeployedOperator | undefined;
  readonly cluster: ClusterObjects;
  readonly transport: Transport;
  /** The files of the project, as `evenkeel generate` would write them now. */
  readonly generated: GeneratedOutput | undefined;
  /** The deadline of the command, in the monotonic time of the clock. */
  readonly deadlineMs: number;
}

/** The name in the option `contexts` for the service account of a pod. */
const inCluster = 'in-cluster';

/**
 * Generates the objects of the project, connects to the cluster, and calls `work`, which throws or reports what fails. Prints the
 * context before anything is written, and the report at the end. Resolves to the exit code.
 *
 * @param doing the start of the printed line, such as `deploying`.
 */
export async function onCluster(
  doing: string,
  options: ClusterOptions & { readonly dryRun?: string | boolean },
  deploys: NonNullable<GenerationRequest['deploys']>,
  terminal: CommandTerminal,
  work: (session: ClusterSession) => Promise<void>,
): Promise<number> {
  const timeoutMs = timeoutOf(options.timeout);
  const clock = new SystemClock();
  const stopping = new AbortController();
  const stopSignal = listenForStopSignal(process, clock);
  void stopSignal.received.then(() => stopping.abort(new Error('interrupted')));
  const report = new ClusterReport(isDryRun(options), terminal);
  try {
    const { deployment, errors, generated } = await generatedDeployment(options.config, deploys, terminal);
    if (deployment === undefined) {
      reportFindings(errors, false, terminal);
      return 1;
    }
    const { operator, objects, contexts } = deployment;
    await withCluster(
      options.kubeconfig,
      clock,
      terminal,
      async (client, connection, transport) => {
        checkContext(connection, contexts);
        report.setPlace(connection, operator);
        terminal.err(headline(doing, connection, operator, report.isDryRun));
        await work({
          ...{ client, clock, terminal, report, objects, operator, transport, generated },
          signal: stopping.signal,
          cluster: new ClusterObjects(client, managerOf(operator)),
          deadlineMs: clock.monotonic() + timeoutMs,
        });
      },
      options.context,
    );
  } catch (error) {
    if (stopping.signal.aborted) {
      terminal.err('interrupted; run the same command again to continue');
      return interruptedCode;
    }
    throw explainedAccess(error);
  } finally {
    stopSignal.close();
    report.finish();
  }
  return report.exitCode;
}

function isDryRun({ dryRun }: { readonly dryRun?: string | boolean }): boolean {
  return dryRun !== undefined && dryRun !== false;
}

function headline(
  doing: string,
  { context, server }: Connection,
  operator: DeployedOperator | undefined,
  dryRun: boolean,
): string {
  const what =
    operator === undefined ? 'the API of this project' : `${operator.name} in the namespace ${operator.namespace}`;
  const how = dryRun ? ', as a dry run that writes nothing' : '';
  return `${doing} ${what}: context ${context ?? inCluster} (${server})${how}`;
}

/** Throws `context-not-allowed` if the configuration does not name the context. */
function checkContext({ context = inCluster, server }: Connection, allowed: readonly string[] | undefined): void {
  if (allowed === undefined || allowed.includes(context)) return;
  const names = allowed.map((name) => `"${name}"`).join(', ');
  throw new EvenkeelError(
    'context-not-allowed',
    `the context is "${context}" (${server}), and deployment.contexts of the configuration allows only ${names}; pass --context NAME, or add it to deployment.contexts`,
  );
}

/** Adds the fix to an error about the credentials or permissions of the user. */
function explainedAccess(error: unknown): unknown {
  if (!(error instanceof StatusError)) return error;
  const { message } = error;
  if (isUnauthorized(error)) {
    return new EvenkeelError(
      'cluster-access-denied',
      `the API server does not accept the credentials: ${message}; log in again, or check the user of this context in the kubeconfig`,
      { cause: error },
    );
  }
  if (!isForbidden(error)) return error;
  return new EvenkeelError(
    'cluster-access-denied',
    `${message}; use another user, or grant this permission to the user`,
    { cause: error },
  );
}
