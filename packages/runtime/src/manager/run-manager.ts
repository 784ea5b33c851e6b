import type { Client } from '@evenkeel/client';
import { type ApiResource, EvenkeelError, SystemClock, SystemRandom } from '@evenkeel/core';
import { checkOperator } from '../checks/check-operator.ts';
import { checkOptions } from '../checks/check-options.ts';
import { checkSettings } from '../checks/check-settings.ts';
import { createPinoLogger, type LogLevel } from '../log/pino-logger.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import type { ManagerRunOptions } from '../options/manager-run-options.ts';
import type { Operator } from '../options/operator.ts';
import { oldNodeProblem } from '../process/node-version.ts';
import { readSettings, settingsHelp } from '../process/run-settings.ts';
import { runUntilSignal } from '../process/run-until-signal.ts';
import { ServerProbe } from '../process/server-probe.ts';
import type { ProcessPort } from '../process/stop-signal.ts';
import { listenForStrayErrors } from '../process/stray-errors.ts';
import { Outage } from '../source/outage.ts';
import type { Surroundings } from '../wiring/wire-manager.ts';

/** The probe of the server creates this review, because it needs no permission. It does not use the class, which imports others. */
const selfReviews: ApiResource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  namespaced: false,
};

/** The processes with an active `Manager.run`. */
const running = new WeakSet<ProcessPort>();
/** The longest delay of Node's timers. */
const longestDelayMs = 2 ** 31 - 1;

type Settings = ReturnType<typeof readSettings>;

/** What a process needs of its manager. */
interface ProcessManager {
  readonly client: Pick<Client, 'create'>;
  readonly health: { readonly controllers: readonly { readonly name: string }[] };
  readonly failure: Promise<unknown>;
  start(): Promise<void>;
  stop(): Promise<{ drained: boolean }>;
}

/** See `Manager.run`. */
export async function runManager(
  operator: Operator,
  options: ManagerRunOptions,
  create: (options: ManagerOptions, shared: Surroundings) => Promise<ProcessManager>,
): Promise<void> {
  const { clock = new SystemClock(), random = new SystemRandom(), output = process.stdout } = options;
  const port: ProcessPort = options.process ?? process;
  let settings: Settings;
  let settled: ManagerOptions;
  try {
    // Before any code that an old Node does not support.
    const oldNode = oldNodeProblem(process);
    if (oldNode !== undefined) throw new EvenkeelError('node-too-old', oldNode);
    checkOperator(operator);
    checkOptions(options, 'Manager.run');
    if (running.has(port)) {
      throw new EvenkeelError(
        'manager-already-runs',
        'Manager.run() is already running in this process; call it once with an operator that declares all controllers, or use createManager() for more managers',
      );
    }
    settings = readSettings({
      options,
      arguments: options.arguments ?? process.argv.slice(2),
      environment: options.environment ?? process.env,
    });
    settled = withSettings(operator, options, settings);
  } catch (error) {
    if (!(error instanceof EvenkeelError)) throw error;
    (options.logger ?? (await createPinoLogger())).error(error.message, { code: error.code });
    port.exit(2);
    return;
  }
  if (settings.isHelpAsked) {
    output.write(settingsHelp());
    port.exit(0);
    return;
  }
  running.add(port);
  const { values } = settings;
  const level = values.get('logLevel') as LogLevel | undefined;
  const logger = options.logger ?? (await createPinoLogger(level === undefined ? {} : { level }));
  for (const warning of settings.warnings) logger.warn(warning);

  const failed = Promise.withResolvers<unknown>();
  const stopListening = listenForStrayErrors(({ code, message, error, reconcile }) => {
    logger.error(message, { ...reconcile, error, code });
    failed.resolve(undefined);
  });
  const outage = new Outage(true);
  const stopping = new AbortController();
  let making: Promise<ProcessManager> | undefined;
  let manager: ProcessManager | undefined;
  let isLeftBehind = false;
  const surroundings: Surroundings = {
    caller: 'defineOperator',
    outage,
    stopping: stopping.signal,
    leftBehind: () => {
      isLeftBehind = true;
    },
  };
  let probe: ServerProbe | undefined;
  // Node exits if nothing is open, and runnables may open nothing.
  const open = setInterval(() => {}, longestDelayMs);
  await runUntilSignal(
    {
      prepare: async () => {
        making = create({ ...settled, logger }, surroundings);
        manager = await making;
        manager.failure.then(failed.resolve);
      },
      start: async () => {
        const started = manager;
        if (started === undefined) throw new Error('bug: a manager is started before it is created');
        // A dry run, because a process without leadership may send it too.
        const ask = (signal: AbortSignal): Promise<unknown> =>
          started.client.create(selfReviews, { metadata: {} } as never, { signal, dryRun: true });
        probe = new ServerProbe({ ask, clock, random, logger, reached: () => outage.reached() });
        await probe.start();
        await started.start();
        logger.info('manager started', { controllers: started.health.controllers.map(({ name }) => name) });
      },
      stop: async () => {
        stopping.abort(new Error('the manager stops'));
        await probe?.stop();
        // If it could not be created, its parts have stopped or were left behind.
        const made = await making?.catch(() => undefined);
        return made?.stop() ?? { drained: !isLeftBehind };
      },
      failure: failed.promise,
    },
    { process: port, clock, logger },
  );
  clearInterval(open);
  stopListening();
  running.delete(port);
}

/** The declaration and the program's options, overridden by the settings. Throws `setting-not-declared`. */
function withSettings(
  operator: Operator,
  options: ManagerRunOptions,
  { values, isHelpAsked }: Settings,
): ManagerOptions {
  const plain: Record<string, unknown> = {};
  const sections: Record<'leaderElection' | 'health' | 'metrics' | 'webhook', Record<string, unknown>> = {
    leaderElection: {},
    // Some options are not settings.
    health: { ...options.health },
    metrics: { ...options.metrics },
    webhook: { ...options.webhook },
  };
  for (const [path, value] of values) {
    const [section = '', name] = path.split('.');
    if (name === undefined) plain[path] = value;
    else sections[section as keyof typeof sections][name] = value;
  }
  const { health, metrics, webhook, leaderElection } = sections;
  const { enabled = true, ...election } = leaderElection;
  // Each value was parsed by its type, or comes from the program.
  const given: Omit<ManagerOptions, 'controllers'> = { ...options, ...plain, health, metrics, webhook };
  const { namespaces = operator.namespaces } = given;
  if (!isHelpAsked) {
    checkSettings(operator, {
      namespaces,
      metrics,
      electionSettings: enabled === true ? Object.keys(leaderElection).map((name) => `leaderElection.${name}`) : [],
      leaseNamespace: election['namespace'],
    });
  }
  return {
    ...operator,
    ...given,
    namespaces,
    leaderElection:
      enabled === true && operator.leaderElection !== undefined
        ? { ...operator.leaderElection, ...election }
        : undefined,
  };
}
