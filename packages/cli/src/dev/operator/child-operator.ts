import { existsSync } from 'node:fs';
import inspector from 'node:inspector';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { httpsTransport, loadConnection } from '@evenkeel/client';
import {
  declarationsOf,
  resolveKind,
  resourceOf,
  SystemClock,
  type Transport,
  type WebhookAnswer,
} from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { type ConcreteClass, createManager, type Manager, type Operator } from '@evenkeel/runtime';
import { loadProject, type ProjectContents } from '../../generate/load-project.ts';
import { hasErrors } from '../../generate/report.ts';
import { ModuleLoader } from '../../load/module-loader.ts';
import { kindKey } from '../kind-key.ts';
import { NarratorLogger } from '../narrator-logger.ts';
import type { Reports } from '../reports.ts';
import { StrayErrors } from '../stray-errors.ts';
import { type Channel, sentError } from './channel.ts';
import type {
  CommandSide,
  LoadedProgram,
  LoadedProject,
  LoadRequest,
  OperatorSide,
  ReconciledKind,
  SentCall,
  StartRequest,
  WarmUpRequest,
} from './operator-contract.ts';
import { RemoteReports } from './remote-reports.ts';
import { RemoteWebhookHost } from './remote-webhook-host.ts';
import { RunNarration, summaryOf } from './run-narration.ts';

/** How long a reconcile may continue when the operator is stopped. The whole session stops within a second. */
const gracePeriod = '700ms';

/** The operator of a session in its own process. It loads the user's modules once; new code needs a new process. */
export class ChildOperator implements OperatorSide {
  readonly #command: Channel<CommandSide>;
  readonly #reports: Reports;
  readonly #host: RemoteWebhookHost;
  #loaded:
    | { readonly operator: Operator | undefined; readonly request: LoadRequest; readonly strays: StrayErrors }
    | undefined;
  #manager: Manager | undefined;
  #transport: Transport | undefined;
  #warmUp: Promise<void> | undefined;

  constructor(command: Channel<CommandSide>) {
    this.#command = command;
    this.#reports = new RemoteReports(command);
    this.#host = new RemoteWebhookHost(command);
  }

  async load(request: LoadRequest): Promise<LoadedProject> {
    const { folder, configPath, generated } = request;
    // Both change how modules are loaded.
    await this.#warmUp?.catch(() => undefined);
    const strays = new StrayErrors(folder, this.#reports);
    const loader = new ModuleLoader(folder);
    const loading = loadProject(request, loader, (doing) => this.#command.tell('progress', doing), {
      generated,
    });
    const { findings, contents, read } = await Promise.race([loading, strays.failed]);
    const settings = [configPath, ...settingsAbove(configPath)];
    const isComplete = contents !== undefined && !hasErrors(findings);
    if (isComplete) this.#loaded = { operator: contents.operator?.declaration, request, strays };
    return {
      findings,
      program: isComplete ? programOf(contents) : undefined,
      sources: [...new Set([...settings, ...loader.graph.userModules().map((url) => fileURLToPath(url)), ...read])],
      apiSources: generated === undefined && isComplete ? [...settings, ...read] : undefined,
      isOpen: !isComplete || contents.config.matched.size > 0,
    };
  }

  async warmUp(request: WarmUpRequest): Promise<void> {
    const { warmUp } = await import('./warm-up.ts');
    this.#warmUp = warmUp(request);
    await this.#warmUp;
  }

  async start({ kubeconfig, inspect }: StartRequest): Promise<{ readonly controllers: readonly string[] }> {
    if (this.#loaded === undefined) throw new Error('bug: start() before load()');
    const { operator, request, strays } = this.#loaded;
    if (inspect !== undefined) inspector.open(inspect.port, inspect.host);
    const clock = new SystemClock();
    const connection = await loadConnection({ kubeconfig, clock });
    const transport = httpsTransport(connection);
    this.#transport = transport;
    const narration = new RunNarration(this.#reports, request.folder);
    const { folder, verbose } = request;
    const manager = await createManager({
      controllers: [],
      ...operator,
      // The session is the only process of the operator.
      leaderElection: undefined,
      transport: {
        request: (sent) => transport.request(sent),
        close: () => transport.close(),
        webhookHost: this.#host,
      },
      clock,
      logger: new NarratorLogger({ narrator: this.#reports, verbose, folder }),
      gracePeriod,
      observer: (run) => {
        narration.observe(run);
        this.#command.tell('ran', summaryOf(run));
      },
      eventObserver: (event) => narration.event(event),
    });
    this.#manager = manager;
    strays.throwFirst();
    for (const failure of [manager.failure.then((error) => Promise.reject(error)), strays.failed]) {
      failure.catch((error: unknown) => this.#command.tell('failed', sentError(error)));
    }
    await manager.start();
    return { controllers: manager.health.controllers.map(({ name }) => name) };
  }

  async running(): Promise<readonly string[]> {
    const { controllers = [] } = this.#manager?.health ?? {};
    return controllers.flatMap(({ running }) => running.map(({ key }) => key));
  }

  answer(call: SentCall): Promise<WebhookAnswer> {
    return this.#host.answer(call);
  }

  async stop(): Promise<void> {
    await this.#manager?.stop();
    await this.#transport?.close();
  }
}

function programOf({ config, definitions, generated, operator }: ProjectContents): LoadedProgram {
  const { controllers = [], namespaces, webhooks = [], conversions = [] } = operator?.declaration ?? {};
  return {
    definitions: definitions as CustomResourceDefinition[],
    generated,
    samples: config.samples,
    controllers: kindsOf(controllers),
    namespaces,
    served: [...webhooks, ...conversions].map(({ name }) => name),
    lacksModules: config.fields !== undefined && !existsSync(config.fields),
  };
}

function kindsOf(controllers: readonly ConcreteClass[]): Map<string, ReconciledKind> {
  const kinds = new Map<string, ReconciledKind>();
  for (const controller of controllers) {
    const { controller: declared, finalizers } = declarationsOf(controller);
    if (declared === undefined) continue;
    const resource = resourceOf(resolveKind(declared.kind));
    const finalizes = finalizers.length > 0 || kinds.get(kindKey(resource))?.finalizes === true;
    kinds.set(kindKey(resource), { resource, finalizes });
  }
  return kinds;
}

/** The files beside the modules that decide how they are compiled and checked. */
function settingsAbove(configPath: string): string[] {
  for (let at = dirname(configPath); ; at = dirname(at)) {
    const found = ['package.json', 'tsconfig.json'].map((name) => join(at, name)).filter((path) => existsSync(path));
    if (found.length > 0 || at === dirname(at)) return found;
  }
}
