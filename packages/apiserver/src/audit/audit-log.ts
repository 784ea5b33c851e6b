import type { Clock } from '@evenkeel/core';
import { nodeCrypto } from '../crypto/node-crypto.ts';
import type { ApiRequest } from '../request/api-request.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { type AuditPolicy, checkAuditPolicy, parseAuditPolicy } from './audit-policy.ts';
import { AuditRecord } from './audit-record.ts';

/** What the server records of requests, and where. */
export interface AuditOptions {
  /**
   * The path of a policy file, in YAML or JSON (`--audit-policy-file` of kube-apiserver), or the policy itself. Default: the metadata of
   * all requests, once for each request.
   */
  readonly policy?: string | AuditPolicy;
  /**
   * The path of a file to which events are appended (`--audit-log-path`); `-` is standard output. Or a function that gets each event: a
   * line of JSON without its end, an `Event` of `audit.k8s.io/v1`. It must not throw.
   */
  readonly log: string | ((line: string) => void);
}

const defaultPolicy: AuditPolicy = { rules: [{ level: 'Metadata' }], omitStages: ['RequestReceived'] };

/**
 * The audit log of a server. Each event is written before the client gets the response to its request. Events of watches and of long lists
 * are written when the response ends.
 */
export class AuditLog {
  readonly #policy: AuditPolicy;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #write: (line: string) => void;
  readonly #close: () => void;
  #closed = false;

  /** Reads the policy, and opens the file. Throws EvenkeelError `invalid-option` for an invalid policy, and the errors of the file system. */
  static async open({ policy = defaultPolicy, log }: AuditOptions, clock: Pick<Clock, 'now'>): Promise<AuditLog> {
    const { closeSync, openSync, readFileSync, writeSync } = await import('node:fs');
    const checked =
      typeof policy === 'string'
        ? await parseAuditPolicy(readFileSync(policy, 'utf8'), policy)
        : checkAuditPolicy(policy, 'the option audit.policy');
    if (typeof log === 'function') return new AuditLog(checked, clock, log, () => undefined);
    if (log === '-')
      return new AuditLog(
        checked,
        clock,
        (line) => process.stdout.write(`${line}\n`),
        () => undefined,
      );
    // As upstream: only the owner can read it, and each event is written before the response.
    const file = openSync(log, 'a', 0o600);
    return new AuditLog(
      checked,
      clock,
      (line) => writeSync(file, `${line}\n`),
      () => closeSync(file),
    );
  }

  private constructor(
    policy: AuditPolicy,
    clock: Pick<Clock, 'now'>,
    write: (line: string) => void,
    close: () => void,
  ) {
    this.#policy = policy;
    this.#clock = clock;
    this.#write = write;
    this.#close = close;
  }

  /** Starts the record of a request. A client may choose its id. */
  receive(request: ApiRequest, info: RequestInfo): AuditRecord {
    const id = request.headers['audit-id'] || nodeCrypto().randomUUID();
    const write = (line: string): void => {
      if (!this.#closed) this.#write(line);
    };
    const terms = { policy: this.#policy, now: () => this.#clock.now(), write };
    return new AuditRecord(terms, id, request, info);
  }

  /** Closes the file. Drops later events, such as those of watches that end with the server. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#close();
  }
}
