import type { Clock, Random } from '@evenkeel/core';
import type { RequestAudit } from './request-audit.ts';
import type { RequestInfo } from './request-info.ts';
import type { UserInfo } from './user-info.ts';

/** What every step of the pipeline knows about the current request. */
export interface RequestContext {
  readonly user: UserInfo;
  readonly info: RequestInfo;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Host and port to which the client connected; undefined in process. */
  readonly localAddress: string | undefined;
  /** Undefined if the server has no audit log. */
  readonly audit: RequestAudit | undefined;
  readonly clock: Clock;
  readonly random: Random;
  /** Adds a `Warning` header to the response. Duplicates are sent once. Upstream's limits of length apply. */
  warn(message: string): void;
}
