import { type HealthCheck, healthHandler } from './health-handler.ts';
import type { HttpAnswer } from './http-handler.ts';
import { getRequest } from './request.fixture.ts';

const passing: HealthCheck = { name: 'manager', problem: undefined };
const failing: HealthCheck = { name: 'controller-nginx', problem: 'cannot list pods' };

async function ask(url: string, readyz: readonly HealthCheck[], healthz = [passing]): Promise<HttpAnswer> {
  const handler = healthHandler({ healthz: () => healthz, readyz: () => readyz });
  return await handler(getRequest(url));
}

describe('healthHandler()', () => {
  // The bodies are those of controller-runtime, pkg/healthz.
  it.each([
    ['/readyz', [passing], 200, 'ok'],
    ['/readyz?verbose', [passing], 200, '[+]manager ok\nreadyz check passed\n'],
    [
      '/readyz',
      [passing, failing],
      500,
      '[+]manager ok\n[-]controller-nginx failed: reason withheld\nreadyz check failed\n',
    ],
    ['/readyz?verbose=1', [failing], 500, '[-]controller-nginx failed: cannot list pods\nreadyz check failed\n'],
    ['/readyz?exclude=controller-nginx', [passing, failing], 200, 'ok'],
    [
      '/readyz?exclude=controller-nginx&exclude=x&verbose',
      [passing, failing],
      200,
      '[+]manager ok\n[+]controller-nginx excluded: ok\nwarn: some health checks cannot be excluded: no matches for "x"\nreadyz check passed\n',
    ],
    ['/readyz/manager', [passing, failing], 200, 'ok'],
    ['/readyz/controller-nginx', [passing, failing], 500, 'internal server error: reason withheld\n'],
    ['/readyz/controller-nginx?verbose', [failing], 500, 'internal server error: cannot list pods\n'],
    ['/readyz/constructor', [passing], 404, '404 page not found\n'],
    ['/readyz/', [passing], 200, 'ok'],
    ['/healthz', [failing], 200, 'ok'],
    ['/readyzz', [passing], 404, '404 page not found\n'],
    ['/', [passing], 404, '404 page not found\n'],
    ['/metrics', [passing], 404, '404 page not found\n'],
  ])('responds to %s', async (url, checks, status, body) => {
    expect(await ask(url, checks)).toEqual({ status, body });
  });
});
