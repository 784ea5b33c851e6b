import type { Pod } from '@evenkeel/kinds';
import type { ProcessPlan } from './process-plan.ts';

/** A process that runs a script of Node. Its arguments are those of the container. */
export function script(code: string, more: Partial<ProcessPlan> = {}): ProcessPlan {
  return { command: [process.execPath, '-e', code, '--'], ...more };
}

/** A script that listens at the address of its pod, and answers with its environment variable `ANSWER`. */
export const server = script(
  `require('http').createServer((request, response) => response.end(process.env.ANSWER ?? 'hello')).listen(Number(process.env.PORT ?? 8080), process.env.EVENKEEL_POD_IP); console.log('listening')`,
);

/** A script that runs until SIGTERM, and says so. */
export const waiting = script(
  `process.on('SIGTERM', () => { console.log('stopping'); process.exit(0) }); console.log('running'); setInterval(() => {}, 1000)`,
);

/** A pod to create, with one container `main` of the image `main` unless the spec has others. */
export function podOf(namespace: string, name: string, spec: object = {}, metadata: object = {}): Pod {
  return {
    metadata: { name, namespace, ...metadata },
    spec: { containers: [{ name: 'main', image: 'main' }], ...spec },
  } as unknown as Pod;
}
