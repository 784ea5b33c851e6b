import type { Transport } from '@evenkeel/core';

/**
 * Which server an environment runs on: the one inside this process, a kube-apiserver with etcd of the test's own, or a
 * cluster that was there before and stays.
 */
export type EnvironmentKind = 'embedded' | 'envtest' | 'cluster';

/** An API server for the time of a test. */
export interface TestServer {
  readonly kind: EnvironmentKind;
  /** A connection of its own for whoever asks, as an administrator, to be closed by them. */
  connect(): Transport;
  /** A kubeconfig file for other programs. It is there until the server is closed; a cluster's own stays. */
  kubeconfig(): Promise<string>;
  /** Stops what was started and removes its files. Safe to call again. */
  close(): Promise<void>;
}
