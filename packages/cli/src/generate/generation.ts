import type { CertificateSource } from '@evenkeel/core/certificates';
import type { BundleContents } from '@evenkeel/olm/csv';
import type { Finding, Generation } from '@evenkeel/schema';
import type { GeneratedFile, ManifestObject } from '../manifests/generated-file.ts';

/** The request to the loading process. */
export interface GenerationRequest {
  /** The path of the configuration file. */
  readonly configPath: string;
  /** Findings show file paths relative to this folder. */
  readonly folder: string;
  /** Set if the objects themselves are wanted, for a cluster. */
  readonly deploys?: {
    /** The image of the operator, instead of the one in the configuration. */
    readonly image?: string;
  };
  /** Set if the contents of a bundle are wanted. */
  readonly bundles?: {
    /** The image of the operator, instead of the one in the configuration. */
    readonly image?: string | undefined;
    /** The version, instead of the one in the configuration. */
    readonly version?: string | undefined;
  };
}

/** The messages of the loading process: its progress, and at the end its result. */
export type GenerationMessage =
  | { readonly says: 'ready' }
  /** It cannot load anything because a package that it needs is not installed. */
  | { readonly says: 'incomplete'; readonly missing: string }
  /** It will now load a module (its path is relative to the folder of the request) or build CRDs. */
  | { readonly says: 'progress'; readonly doing: string }
  /** The event loop is empty, but a module still waits. */
  | { readonly says: 'idle'; readonly doing: string }
  /** An unexpected error was thrown. */
  | { readonly says: 'failed'; readonly doing: string; readonly message: string; readonly stack: string }
  | { readonly says: 'answer'; readonly answer: GenerationAnswer };

export interface GenerationAnswer {
  /** Files that are not written yet. Incomplete if a finding is an error. */
  readonly files: readonly GeneratedFile[];
  readonly findings: readonly ReportedFinding[];
  /** The folder that contains {@link files}; undefined if the configuration is unknown. */
  readonly output?: string;
  /** The folder of the Helm chart; undefined if none is configured. */
  readonly chart?: string | undefined;
  readonly timings: GenerationTimings;
  /** Set if the request {@link GenerationRequest.deploys} and no finding is an error. */
  readonly deployment?: GeneratedDeployment;
  /** Set if the request {@link GenerationRequest.bundles} and no finding is an error. */
  readonly bundle?: GeneratedBundle;
}

/** A bundle that is not written yet. */
export interface GeneratedBundle {
  readonly contents: BundleContents;
  /** The path of its folder. */
  readonly folder: string;
  readonly channels: readonly string[];
  /** The path of the folder with the catalog; undefined if none is configured. */
  readonly catalog: string | undefined;
}

/** The parts of a project in a cluster. */
export interface GeneratedDeployment {
  /** All objects, in the order in which they should be applied. The installer has the same. */
  readonly objects: readonly ManifestObject[];
  /** The contexts that the configuration allows; undefined for all. */
  readonly contexts: readonly string[] | undefined;
  /** Undefined for a project without an operator. */
  readonly operator: DeployedOperator | undefined;
}

/** The operator of a project. */
export interface DeployedOperator {
  readonly name: string;
  readonly namespace: string;
  readonly serviceAccount: string;
  /** Whether it has pods. An operator with only policies needs none. */
  readonly hasPods: boolean;
  /** The oldest version of Kubernetes that it supports; undefined if the declaration does not set it. */
  readonly minServerVersion: string | undefined;
  readonly leaderElection: { readonly name: string; readonly namespace: string } | undefined;
  /** Where the certificate of its webhooks comes from; undefined without webhooks. */
  readonly certificates: CertificateSource | undefined;
}

/** The CRDs of a project's classes and what is known about them. Data of JSON. */
export type GeneratedKinds = Omit<Generation, 'findings'>;

export interface ReportedFinding extends Finding {
  /** The whole finding in one line with its location, or in several lines for a configuration. */
  readonly text: string;
  /** The stack of a thrown error, for `--verbose`. */
  readonly stack?: string;
}

/** Durations of the steps in milliseconds, in order. */
export interface GenerationTimings {
  /** Compiling and running the modules. */
  readonly loadMs: number;
  /** Reading their sources. */
  readonly sourceMs: number;
  /** Building and checking the CRDs, and checking the controllers. */
  readonly schemaMs: number;
  readonly yamlMs: number;
}
