import type { Clock, Random } from '@evenkeel/core';
import type { RequestInfo } from './request-info.ts';
import type { UserInfo } from './user-info.ts';

/** What every step of the pipeline knows of the request it works for. */
export interface RequestContext {
  readonly user: UserInfo;
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Host and port by which the client came; undefined in process. */
  readonly localAddress: string | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Adds a `Warning` header to the answer. Each text once, within upstream's limits. */
  warn(message: string): void;
}
