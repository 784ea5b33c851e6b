import type { IncomingMessage } from 'node:http';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import { type ErrorCode, EvenkeelError } from '@evenkeel/core';

const bodyMax = 8192;
const messageMax = 300;

/**
 * Returns the error of a request that a registry rejected.
 *
 * @param doing what failed, such as `pull node:24`.
 */
export async function registryFailure(
  response: IncomingMessage,
  { doing, registry }: { readonly doing: string; readonly registry: string },
): Promise<EvenkeelError> {
  const { statusCode = 0 } = response;
  const said = messageIn(await startOf(response));
  const text = `${doing}: ${registry} responds with ${statusCode}${said === '' ? '' : ` (${said})`}`;
  const [code, fix] = fixes[statusCode] ?? [
    'registry-failed',
    statusCode >= 500 || statusCode === 429
      ? 'try again later, or ask the owner of the registry'
      : 'check the name of the image and of the registry',
  ];
  return new EvenkeelError(code, `${text}; ${fix.replace('REGISTRY', registry)}`);
}

const fixes: Readonly<Record<number, readonly [ErrorCode, string]>> = {
  401: ['registry-unauthorized', 'log in with "docker login REGISTRY"'],
  403: ['registry-forbidden', 'log in as a user with permission for this repository'],
  404: ['image-not-found', 'correct the name or the tag'],
};

/** Reads the start of a body, and drops the rest with its connection. */
async function startOf(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (text.length >= bodyMax) break;
    }
  } catch {
    // The status is sufficient.
  }
  return text.slice(0, bodyMax);
}

/** The message of a registry, in the form of the OCI distribution specification. */
function messageIn(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    const [first] = isJsonObject(parsed) && Array.isArray(parsed['errors']) ? (parsed['errors'] as unknown[]) : [];
    if (!isJsonObject(first)) return '';
    const words = [first['code'], first['message']].filter((word): word is string => typeof word === 'string');
    return words.join(': ').slice(0, messageMax);
  } catch {
    return '';
  }
}
