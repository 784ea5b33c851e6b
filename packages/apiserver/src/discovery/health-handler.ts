import { encodedResponse } from '../handlers/encoding.ts';
import type { PathHandler } from '../handlers/request-pipeline.ts';
import { textResponse } from '../request/api-request.ts';
import { methodNotAllowed } from '../status/refusal.ts';

/** The version that the server reports: the Kubernetes release whose API it serves. */
export const serverVersion = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3',
  gitCommit: '0000000000000000000000000000000000000000',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: 'go1.26.8',
  compiler: 'gc',
  platform: 'linux/amd64',
} as const;

const checks = ['ping', 'log', 'etcd'];

/** Serves `/healthz`, `/livez`, `/readyz` and `/version`. A server that responds is healthy. */
export const healthHandler: PathHandler = ({ info, query }) => {
  const [root, check, ...rest] = info.path.split('/').filter((part) => part !== '');
  if (rest.length > 0) return undefined;
  if (root === 'version' && check === undefined) {
    if (info.method !== 'GET') throw methodNotAllowed();
    // Always indented, as upstream writes it.
    return encodedResponse(200, JSON.stringify(serverVersion), { format: 'json', pretty: true });
  }
  if (root !== 'healthz' && root !== 'livez' && root !== 'readyz') return undefined;
  if (info.path.endsWith('/') || (check !== undefined && !checks.includes(check))) return undefined;
  if (check === undefined && query.has('verbose')) {
    const lines = checks.map((name) => `[+]${name} ok\n`).join('');
    return textResponse(200, 'text/plain; charset=utf-8', `${lines}${root} check passed\n`);
  }
  return textResponse(200, 'text/plain; charset=utf-8', 'ok');
};
