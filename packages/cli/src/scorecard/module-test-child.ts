// The program of the process of a custom test. It runs one test and is then killed.
import { pathToFileURL } from 'node:url';
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { type KubernetesObject, messageOf } from '@evenkeel/core';
import { parseScorecardResults, type ScorecardResult } from '@evenkeel/olm';
import { ModuleLoader } from '../load/module-loader.ts';
import { endWithParent } from '../load/parent-watch.ts';
import type { ModuleTestAnswer, ModuleTestRequest } from './module-test-contract.ts';
import type { ScorecardTestFunction } from './scorecard-test.ts';

const [, , , parent = ''] = process.argv;
endWithParent(Number(parent));
process.once('message', async (request: ModuleTestRequest) => {
  const answer = await answerTo(request).catch((error: unknown): ModuleTestAnswer => ({ problem: messageOf(error) }));
  process.send?.(answer);
});

async function answerTo(request: ModuleTestRequest): Promise<ModuleTestAnswer> {
  const { folder, path, name, file } = request;
  const loader = new ModuleLoader(folder);
  const module = await loader.load(pathToFileURL(path).href);
  if (module === undefined) return { problem: loader.failures.map(({ finding }) => finding.message).join('\n') };
  const test = module[name];
  if (typeof test !== 'function') {
    const exported = Object.keys(module).join(', ') || 'nothing';
    return {
      problem: `${file} exports no function "${name}", only ${exported}; name one of its exports after the file`,
    };
  }
  return { results: await resultsOf(test as ScorecardTestFunction, request) };
}

async function resultsOf(test: ScorecardTestFunction, request: ModuleTestRequest): Promise<readonly ScorecardResult[]> {
  const { kubeconfig, namespace, bundle, examples, timeoutMs } = request;
  const transport = httpsTransport(await loadConnection({ kubeconfig }));
  const signal = AbortSignal.timeout(timeoutMs);
  let returned: unknown;
  try {
    const client = createClient(transport, { userAgent: 'evenkeel-scorecard', fieldManager: 'evenkeel-scorecard' });
    const objects = examples as unknown as readonly KubernetesObject[];
    returned = await test({ client, kubeconfig, namespace, bundle, signal, examples: objects });
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return [{ state: 'fail', errors: [message], ...(stack === undefined ? {} : { log: stack }) }];
  }
  if (returned === undefined) return [{ state: 'pass' }];
  return parseScorecardResults(JSON.stringify({ results: [returned].flat() }));
}
