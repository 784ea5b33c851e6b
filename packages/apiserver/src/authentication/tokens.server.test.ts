import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { ApiServer } from '../api-server.ts';
import { normalise } from '../comparison.fixture.ts';
import { type TokenStep, tokenSteps } from './token-steps.fixture.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into whatever the server returns
  readonly body: any;
}

/** One server with the tokens that it has issued. */
interface Party {
  readonly tokens: Map<string, string>;
  send(step: TokenStep): Promise<Answer>;
}

const administrator = 'administrator-token';

describeWithRealServer('tokens of service accounts on the real server and on the embedded one', () => {
  let real: RealServer;
  let embedded: ApiServer;
  let parties: readonly Party[] = [];

  beforeAll(async () => {
    const user = { name: 'admin', uid: 'admin', groups: ['system:masters'] };
    real = await startRealServer();
    embedded = await ApiServer.create({ controllers: false, tokens: { [administrator]: user } });
    parties = [realParty(real), embeddedParty(embedded)];
  });
  afterAll(() => Promise.all([real?.stop(), embedded?.close()]));

  it.each(tokenSteps)('%s', async (_, steps) => {
    for (const step of steps) {
      const [expected, actual] = await Promise.all(parties.map((party) => played(party, step)));
      expect({ step, ...actual }).toEqual({ step, ...expected });
    }
  });

  it('have signatures that the published keys verify', async () => {
    for (const { tokens, send } of parties) {
      const { body } = await send({ method: 'GET', path: '/openid/v1/jwks', headers: { accept: '*/*' } });
      const [jwk] = body.keys;
      const [header = '', payload = '', signature = ''] = (tokens.get('plain') ?? '').split('.');
      expect(decoded(header)).toEqual({ alg: jwk.alg, kid: jwk.kid });
      const algorithm =
        jwk.kty === 'EC'
          ? { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
          : { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
      const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify']);
      const bytes = Buffer.from(signature, 'base64url');
      expect(await crypto.subtle.verify(algorithm, key, bytes, Buffer.from(`${header}.${payload}`))).toBe(true);
    }
  });
});

function realParty(server: RealServer): Party {
  const tokens = new Map([['ADMIN', server.token]]);
  const send = async ({ method, path, body, headers }: TokenStep): Promise<Answer> => {
    const options = { ...(body && { body }), headers: { 'user-agent': 'test/1.0', ...headers } };
    const { status, headers: answered, text } = await server.send(method, path, options);
    return { status, headers: answered, body: parsed(text) };
  };
  return { tokens, send };
}

function embeddedParty(server: ApiServer): Party {
  const tokens = new Map([['ADMIN', administrator]]);
  const send = async ({ method, path, body, headers }: TokenStep): Promise<Answer> => {
    const answer = await server.handle({
      method,
      path,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'user-agent': 'test/1.0',
        authorization: `Bearer ${administrator}`,
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    });
    if (!(answer.body instanceof Uint8Array)) throw new Error('the response is a stream');
    return { status: answer.status, headers: answer.headers, body: parsed(Buffer.from(answer.body).toString('utf8')) };
  };
  return { tokens, send };
}

async function played(party: Party, step: TokenStep): Promise<object> {
  const text = JSON.stringify(step).replace(/\$(\w[\w-]*)/g, (_, name: string) => party.tokens.get(name) ?? `$${name}`);
  const { status, headers, body } = await party.send(JSON.parse(text) as TokenStep);
  const token = body?.kind === 'TokenRequest' ? body.status?.token : undefined;
  if (step.keeps !== undefined && token !== undefined) party.tokens.set(step.keeps, token);
  const { 'content-type': type, 'cache-control': caching, warning } = headers;
  const published = String(caching).startsWith('public') ? caching : undefined;
  const claims = token === undefined ? undefined : shownClaims(String(token).split('.')[1] ?? '');
  return { status, type, published, warnings: String(warning ?? ''), body: normalise(withoutKeys(body)), claims };
}

/** The claims with times relative to the time of issue. */
function shownClaims(payload: string): unknown {
  const { exp, iat, nbf, jti, ...claims } = decoded(payload);
  const { warnafter, ...bound } = claims['kubernetes.io'];
  return normalise({
    ...claims,
    'kubernetes.io': { ...bound, warnsAfter: warnafter === undefined ? undefined : warnafter - iat },
    lifetime: exp - iat,
    notBefore: nbf - iat,
    jti,
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the test looks into whatever the server returns
function decoded(part: string): any {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}

/** The keys and algorithms of the two servers differ, and so does the address in the configuration. */
function withoutKeys(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  if ('keys' in body) return { keys: (body.keys as { use: string }[]).map(({ use }) => ({ use })) };
  if (!('jwks_uri' in body)) return body;
  return {
    ...body,
    jwks_uri: String(body.jwks_uri).replace(/\/\/[^/]*/, '//'),
    id_token_signing_alg_values_supported: [],
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
