import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import { EvenkeelError } from '@evenkeel/core';
import { type Challenge, parseChallenges } from './challenge.ts';
import { type Credentials, storedCredentials } from './credentials.ts';
import type { ImageReference } from './image-reference.ts';
import { registryFailure } from './registry-failure.ts';
import type { HttpRequest, RegistryHttp } from './registry-http.ts';
import { readBounded } from './response-body.ts';

const tokenBytesMax = 1024 * 1024;

/** The access of a client to a repository. */
export type RegistryAccess = 'pull' | 'pull,push';

export interface AuthenticationRequest {
  readonly image: Pick<ImageReference, 'registry' | 'repository'>;
  readonly access: RegistryAccess;
  /** The address of the registry. */
  readonly base: URL;
  readonly doing: string;
}

/**
 * Returns the header `Authorization` that a registry asks for: `Basic`, or the token of its authentication server, with or
 * without the user's credentials. Throws `registry-unauthorized` if it needs credentials and there are none.
 */
export async function authorizationFor(
  rejection: IncomingMessage,
  request: AuthenticationRequest,
  http: RegistryHttp,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const { image, base, doing } = request;
  const challenges = parseChallenges(rejection.headers['www-authenticate'] ?? '');
  const credentials = await storedCredentials(image, env);
  const bearer = challenges.find(({ scheme }) => scheme === 'bearer');
  if (bearer !== undefined) {
    rejection.resume();
    return `Bearer ${await tokenOf(bearer, request, credentials, http)}`;
  }
  const isBasic = challenges.some(({ scheme }) => scheme === 'basic');
  if (isBasic && credentials?.kind === 'password') {
    rejection.resume();
    return basic(credentials);
  }
  if (isBasic) {
    rejection.resume();
    const text = `${doing}: ${base.host} requires a user and a password; log in with "docker login ${image.registry}"`;
    throw new EvenkeelError('registry-unauthorized', text);
  }
  throw await registryFailure(rejection, { doing, registry: image.registry });
}

/** Gets a token by the token authentication of registries. The scope is ours, not the one that the registry suggests. */
async function tokenOf(
  { parameters }: Challenge,
  { image, access, base, doing }: AuthenticationRequest,
  credentials: Credentials | undefined,
  http: RegistryHttp,
): Promise<string> {
  const url = URL.parse(parameters['realm'] ?? '');
  // Credentials are sent there.
  const isSafe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && base.protocol === 'http:' && url.host === base.host);
  if (url === null || !isSafe) {
    const text = `${doing}: ${base.host} names an authentication server that is invalid or has no TLS; ask the owner of the registry`;
    throw new EvenkeelError('registry-failed', text);
  }
  const scope = `repository:${image.repository}:${access}`;
  const { service } = parameters;
  const fields = { ...(service === undefined ? {} : { service }), scope };
  const response = await http.send(
    credentials?.kind === 'identity'
      ? exchange(
          url,
          { ...fields, client_id: 'evenkeel', grant_type: 'refresh_token', refresh_token: credentials.token },
          doing,
        )
      : {
          method: 'GET',
          url: withQuery(url, fields),
          headers: credentials === undefined ? {} : { authorization: basic(credentials) },
          doing,
        },
  );
  if (response.statusCode !== 200) throw await registryFailure(response, { doing, registry: image.registry });
  const { token, access_token: other } = documentIn(await readBounded(response, tokenBytesMax, doing));
  const found = typeof token === 'string' && token !== '' ? token : other;
  // A newline would end the header.
  if (typeof found === 'string' && /^[\x21-\x7e]+$/.test(found)) return found;
  throw new EvenkeelError('registry-failed', `${doing}: ${url.host} returned no token; try again later`);
}

function exchange(url: URL, fields: Readonly<Record<string, string>>, doing: string): HttpRequest {
  const form = Buffer.from(new URLSearchParams(fields).toString());
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: { size: form.length, open: () => Readable.from([form]) },
    doing,
  };
}

function withQuery(url: URL, fields: Readonly<Record<string, string>>): URL {
  const made = new URL(url);
  for (const [name, value] of Object.entries(fields)) made.searchParams.set(name, value);
  return made;
}

function basic({ username, password }: Extract<Credentials, { kind: 'password' }>): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function documentIn(bytes: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return isJsonObject(value) ? value : {};
  } catch {
    // The message of the parser quotes the text, which may contain a token.
    return {};
  }
}
