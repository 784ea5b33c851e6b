import { EvenkeelError } from '@evenkeel/core';

export interface ListenAddress {
  /** Undefined for all addresses of the machine. */
  readonly host: string | undefined;
  /** 0 lets the system choose. */
  readonly port: number;
}

/**
 * Parses `:8081`, `127.0.0.1:8080`, `[::1]:8443` or `localhost:8080`. Returns undefined for `0`, which disables a server in
 * controller-runtime, and for `off`. Throws `invalid-address` for anything else.
 */
export function parseListenAddress(text: string): ListenAddress | undefined {
  if (text === '0' || text === 'off') return undefined;
  const [, host = '', port = ''] = /^(|\[[\da-fA-F:.]{2,45}\]|[\w.-]{1,253}):(\d{1,5})$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) {
    throw new EvenkeelError(
      'invalid-address',
      `invalid listen address ${JSON.stringify(text)}; use :8080, 127.0.0.1:8080 or [::1]:8080, or 0 to disable the server`,
    );
  }
  return { host: host === '' ? undefined : host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Whether only clients on the same machine, or in the same pod, can reach the address. */
export function isLoopback({ host }: ListenAddress): boolean {
  return host === 'localhost' || host === '::1' || (host !== undefined && /^127(\.\d{1,3}){3}$/.test(host));
}

/**
 * Whether a metrics server uses HTTPS, and asks the API server who its clients are and what they may do. `secure` is the
 * option. Default: unless only the same machine can reach it.
 */
export function isAuthenticated(address: ListenAddress, secure = !isLoopback(address)): boolean {
  return secure;
}

/** The usual notation, such as `[::1]:8443`. */
export function addressText({ host = '', port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
