import type { Clock } from '@evenkeel/core';

/** Where {@link loadConnection} looks for a cluster. */
export interface LoadConnectionOptions {
  /** The path of a kubeconfig. If set, other places are not searched. */
  kubeconfig?: string | undefined;
  /** The context to use. Default: the file's current context. */
  context?: string | undefined;
  /** Environment variables. Default: the process's. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** The home folder. Default: the user's. */
  home?: string;
  /** Default: the system's. */
  clock?: Clock;
}
