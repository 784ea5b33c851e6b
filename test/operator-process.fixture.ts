import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Client } from '@evenkeel/client';
import { Environment } from '@evenkeel/testing';
import type { CustomResourceDefinition } from 'evenkeel';

/**
 * Runs a program as an operator on an embedded server with these definitions, in a separate process, while `use` checks
 * its work and its log. Then stops it by SIGTERM, and returns its exit code.
 */
export async function withOperatorProcess(
  program: readonly string[],
  cwd: string,
  definitions: readonly CustomResourceDefinition[],
  use: (client: Client, log: () => string) => Promise<void>,
): Promise<number | null> {
  const environment = await Environment.create({ kind: 'embedded', definitions });
  try {
    const operator = spawn(process.execPath, program, {
      cwd,
      env: { PATH: process.env['PATH'], KUBECONFIG: await environment.kubeconfig() },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let log = '';
    operator.stdout.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
    try {
      const ended = once(operator, 'exit');
      const tooSoon = ended.then(() => Promise.reject(new Error(`the operator exited by itself:\n${log}`)));
      await Promise.race([use(environment.client, () => log), tooSoon]);
      operator.kill('SIGTERM');
      const [exitCode] = await ended;
      return exitCode as number | null;
    } finally {
      operator.kill('SIGKILL');
    }
  } finally {
    await environment.close();
  }
}
