import type { HttpAnswer, HttpHandler } from './http-handler.ts';

/** The result of one check. */
export interface HealthCheck {
  /** `controller-nginx`: the last part of the check's path. */
  readonly name: string;
  /** A description of the problem; undefined if the check passes. */
  readonly problem: string | undefined;
}

/**
 * Serves `/healthz` and `/readyz` like controller-runtime's healthz package: 200 and `ok`, or 500 and the failed checks. Each
 * check also has its own path below. `?verbose` lists all checks with the reasons of failures. Without it, reasons are withheld,
 * because any client can reach the port. `?exclude=NAME` excludes a check.
 */
export function healthHandler(
  endpoints: Readonly<Record<'healthz' | 'readyz', () => readonly HealthCheck[] | Promise<readonly HealthCheck[]>>>,
): HttpHandler {
  return async ({ path, query }) => {
    const [, endpoint = '', name] = /^\/(healthz|readyz)(?:\/(.*))?$/.exec(path) ?? [];
    if (endpoint !== 'healthz' && endpoint !== 'readyz') return notFound;
    const checks = await endpoints[endpoint]();
    const isVerbose = query.has('verbose');
    if (name !== undefined && name !== '') {
      const check = checks.find((one) => one.name === name);
      return check === undefined ? notFound : answerOf(check, isVerbose);
    }
    const excluded = new Set(query.getAll('exclude'));
    const lines = checks.map((check) => {
      if (excluded.delete(check.name)) return `[+]${check.name} excluded: ok`;
      return check.problem === undefined
        ? `[+]${check.name} ok`
        : `[-]${check.name} failed: ${reasonOf(check, isVerbose)}`;
    });
    if (excluded.size > 0) {
      const names = [...excluded].map((unknown) => JSON.stringify(unknown)).join(',');
      lines.push(`warn: some health checks cannot be excluded: no matches for ${names}`);
    }
    if (lines.some((line) => line.startsWith('[-]'))) {
      return { status: 500, body: `${lines.join('\n')}\n${endpoint} check failed\n` };
    }
    return { status: 200, body: isVerbose ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok' };
  };
}

const notFound: HttpAnswer = { status: 404, body: '404 page not found\n' };

function answerOf(check: HealthCheck, isVerbose: boolean): HttpAnswer {
  if (check.problem === undefined) return { status: 200, body: 'ok' };
  return { status: 500, body: `internal server error: ${reasonOf(check, isVerbose)}\n` };
}

function reasonOf({ problem }: HealthCheck, isVerbose: boolean): string {
  return isVerbose ? (problem ?? '') : 'reason withheld';
}
