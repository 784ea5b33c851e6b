import type { Transport } from '@evenkeel/core';
import type { WebhookDoor } from '../webhook/webhook-door.ts';

/** The server of an environment: the one in this process, a kube-apiserver with etcd for this test, or an existing cluster. */
export type EnvironmentKind = 'embedded' | 'envtest' | 'cluster';

/** An API server for a test. */
export interface TestServer {
  readonly kind: EnvironmentKind;
  /** How the server calls webhooks in this process. */
  readonly door: WebhookDoor;
  /** Opens a separate connection with administrator permissions. The caller closes it. */
  connect(): Transport;
  /** Returns a kubeconfig for other programs. It exists until the server is closed; a cluster's own file is not deleted. */
  kubeconfig(): Promise<string>;
  /** Stops what was started and deletes its files. May be called again. */
  close(): Promise<void>;
}
