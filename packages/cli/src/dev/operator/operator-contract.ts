import type {
  ApiResource,
  BoundPolicy,
  HostedConversion,
  PolicyKind,
  WebhookAnswer,
  WebhookCall,
  WebhookConfiguration,
} from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { GeneratedKinds, GenerationRequest, ReportedFinding } from '../../generate/generation.ts';
import type { ReportOptions } from '../narrator.ts';
import type { RunSummary } from '../run-summary.ts';
import type { SentError } from './channel.ts';

/** The methods of an operator's process that the command calls. */
export interface OperatorSide {
  /** Loads the user's modules and checks them. It is called once for a process. */
  load(request: LoadRequest): Promise<LoadedProject>;
  /** Executes the code of a load and a start once, with separate data, so that the real load and start are faster. */
  warmUp(request: WarmUpRequest): Promise<void>;
  /** Starts the manager of the loaded operator. Resolves when its webhooks are registered and its controllers run. */
  start(request: StartRequest): Promise<{ readonly controllers: readonly string[] }>;
  /** Returns the keys that a controller reconciles now. All runs that have finished have been sent before. */
  running(): Promise<readonly string[]>;
  answer(call: SentCall): Promise<WebhookAnswer>;
  /** Stops the manager; current runs get a grace period. The process exits afterwards. */
  stop(): Promise<void>;
}

/** The methods of the command that an operator's process calls. Each process has its own instance. */
export interface CommandSide {
  /** It will now load a module, or build CRDs. */
  progress(doing: string): void;
  report(line: ReportedLine): void;
  renew(about: string): void;
  quote(stack: string): void;
  ran(run: RunSummary): void;
  /** An error after which the operator cannot continue. The process stops its manager and exits. */
  failed(error: SentError): void;
  policyKinds(): Promise<readonly PolicyKind[]>;
  /** See `WebhookHost.serve`. */
  serve(webhooks: SentWebhooks): Promise<void>;
  /** Ends the registration with this id. */
  leave(id: number): Promise<void>;
}

export interface LoadRequest extends GenerationRequest {
  /** Whether the operator prints its complete log. */
  readonly verbose: boolean;
  /** The result of an earlier load; see `LoadProjectOptions.generated`. */
  readonly generated: LoadedProgram['generated'] | undefined;
}

export interface WarmUpRequest {
  /** A folder for the modules of the warm-up, outside of node_modules. It stays, and other sessions may use it too. */
  readonly folder: string;
  /** The path of the kubeconfig of the session's API server. */
  readonly kubeconfig: string;
}

export interface StartRequest {
  /** The path of the kubeconfig of the session's API server. */
  readonly kubeconfig: string;
  /** Where a debugger can attach. Default: nowhere. */
  readonly inspect?: InspectAddress;
}

export interface InspectAddress {
  readonly host: string;
  readonly port: number;
}

/** The properties of a project that the command needs. */
export interface LoadedProject {
  readonly findings: readonly ReportedFinding[];
  /** Undefined if the project has mistakes. */
  readonly program: LoadedProgram | undefined;
  /** The paths of the files that the result depends on, without packages and samples. */
  readonly sources: readonly string[];
  /** Whether new modules in the folders of these files may belong to the project. */
  readonly isOpen: boolean;
  /** Those of `sources` that the CRDs depend on; undefined if the CRDs of an earlier load were used. */
  readonly apiSources: readonly string[] | undefined;
}

export interface LoadedProgram {
  readonly definitions: readonly CustomResourceDefinition[];
  /** What follows from the classes, without other inputs. */
  readonly generated: GeneratedKinds;
  /** The paths of the sample files. */
  readonly samples: readonly string[];
  /** The kinds that the operator reconciles, by `Site.web.example.com`. */
  readonly controllers: ReadonlyMap<string, ReconciledKind>;
  /** The namespaces that the operator watches. Undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  /** The names of the classes whose webhooks and conversions the operator serves. */
  readonly served: readonly string[];
  /** Whether a module that `evenkeel generate` writes does not exist yet, so that the compiler does not find it. */
  readonly lacksModules: boolean;
}

/** The declarations of a kind's controllers about the kind. */
export interface ReconciledKind {
  readonly resource: ApiResource;
  /** Whether one of them adds a finalizer to its objects. */
  readonly finalizes: boolean;
}

export interface ReportedLine {
  readonly topic: string;
  readonly text: string;
  readonly options: ReportOptions | undefined;
}

export interface SentWebhooks {
  /** Different for each registration of a process. */
  readonly id: number;
  readonly name: string;
  /** Their addresses are only paths. */
  readonly configurations: readonly WebhookConfiguration[];
  readonly policies: readonly BoundPolicy[];
  readonly conversions: readonly HostedConversion[];
}

export interface SentCall extends Pick<WebhookCall, 'path' | 'contentType' | 'body'> {
  /** The registration that is called. */
  readonly id: number;
  readonly query: string;
}
