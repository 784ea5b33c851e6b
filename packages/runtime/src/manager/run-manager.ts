import type { Client } from '@evenkeel/client';
import { type ApiResource, EvenkeelError, SystemClock, SystemRandom } from '@evenkeel/core';
import { checkOptions } from '../checks/check-options.ts';
import type { LeaderElectionOptions } from '../election/election-timing.ts';
import { createPinoLogger, type LogLevel } from '../log/pino-logger.ts';
import type { ManagerOptions } from '../options/manager-options.ts';
import type { ManagerRunOptions } from '../options/manager-run-options.ts';
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
  options: ManagerRunOptions,
  create: (options: ManagerOptions, shared: Surroundings) => Promise<ProcessManager>,
): Promise<void> {
  const { clock = new SystemClock(), random = new SystemRandom(), output = process.stdout } = options;
  const port: ProcessPort = options.process ?? process;
  let settings: ReturnType<typeof readSettings>;
  try {
    // Before any code that an old Node does not support.
    const oldNode = oldNodeProblem(process);
    if (oldNode !== undefined) throw new EvenkeelError('node-too-old', oldNode);
    checkOptions(options, 'Manager.run');
    if (running.has(port)) {
      throw new EvenkeelError(
        'manager-already-runs',
        'Manager.run() is already running in this process; call it once with all controllers, or use createManager() for more managers',
      );
    }
    settings = readSettings({
      options,
      arguments: options.arguments ?? process.argv.slice(2),
      environment: options.environment ?? process.env,
    });
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
    caller: 'Manager.run',
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
        making = create({ ...withSettings(options, values), logger }, surroundings);
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

/** The program's options, overridden by the settings. */
function withSettings(options: ManagerRunOptions, values: ReadonlyMap<string, unknown>): ManagerOptions {
  const { leaderElection: _replaced, ...others } = options;
  const plain: Record<string, unknown> = {};
  const sections: Record<'leaderElection' | 'health' | 'metrics', Record<string, unknown>> = {
    leaderElection: {},
    // Some options are not settings.
    health: { ...options.health },
    metrics: { ...options.metrics },
  };
  for (const [path, value] of values) {
    const [section = '', name] = path.split('.');
    if (name === undefined) plain[path] = value;
    else sections[section as keyof typeof sections][name] = value;
  }
  const { leaderElection: election, ...servers } = sections;
  Object.assign(plain, servers);
  const { enabled = election['name'] !== undefined, name, ...times } = election;
  if (enabled !== true) return { ...others, ...plain };
  if (typeof name !== 'string') {
    throw new EvenkeelError(
      'invalid-option',
      'leader election is enabled without the name of a Lease; pass --leader-election-name, or set leaderElection.name in Manager.run()',
    );
  }
  // Each value was parsed by its type, or comes from the program.
  const leaderElection: LeaderElectionOptions = { ...times, name };
  return { ...others, ...plain, leaderElection };
}
