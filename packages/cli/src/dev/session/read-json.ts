import { readBody } from '@evenkeel/client';
import { EvenkeelError, type Transport } from '@evenkeel/core';
import { describeAnswer } from '../describe-answer.ts';

/** Reads a path that is not an object: discovery, or the version. Returns an empty object if it does not exist. */
export async function readJson(transport: Transport, path: string, signal: AbortSignal): Promise<unknown> {
  const response = await transport.request({ method: 'GET', path, headers: { accept: 'application/json' }, signal });
  const text = (await readBody(response)).toString('utf8');
  if (response.status === 200) return JSON.parse(text);
  if (response.status === 404) return {};
  throw new EvenkeelError('cluster-unreachable', `GET ${path}: ${describeAnswer(response.status, text)}`);
}
