import type { Shrunk } from './shrink-history.fixture.ts';

/** A difference with its seed and the requests that show it. */
export function reportOf({ history, difference }: Shrunk): string {
  const requests = history.requests.map(({ method, path, body, contentType, accept, live }) =>
    [`  ${method} ${path}`, contentType, accept, live === undefined ? undefined : `over ${live}`, body]
      .filter((part) => part !== undefined)
      .join('\n    '),
  );
  return [
    `seed ${history.seed} (EVENKEEL_SEED=${history.seed} EVENKEEL_HISTORIES=1):`,
    ...requests,
    ...difference.lines.map((line) => `  ${line}`),
  ].join('\n');
}
