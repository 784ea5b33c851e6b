import type { Clock, Random } from '@evenkeel/core';
import { goQuoteList } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { randomUid } from '../kind/random-name.ts';
import type { UserInfo } from '../request/user-info.ts';
import { type ParsedToken, type PublicWebKey, parseToken, SigningKey } from './json-web-token.ts';

/** The issuer of the tokens, and the audience of this server. */
export const tokenIssuer = 'https://localhost/';

/** The tolerated difference between two clocks (`jwt.DefaultLeeway` of go-jose). */
const leewaySeconds = 60;

/** The number of cached tokens with a verified signature. */
const verifiedMax = 1024;

/** Returns a stored object of the core group; undefined if it does not exist. */
export type ObjectLookup = (plural: string, namespace: string, name: string) => ApiObject | undefined;

/** What a token is issued for. */
export interface TokenGrant {
  readonly account: ApiObject;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** Set if the token is valid for longer than requested: the requested number of seconds. */
  readonly warnAfterSeconds?: number;
  /** The objects whose deletion makes the token invalid. The node of a bound pod is only information. */
  readonly pod?: ApiObject | undefined;
  readonly secret?: ApiObject | undefined;
  readonly node?: { readonly name: string; readonly uid?: string | undefined } | undefined;
}

/** The user of an accepted token, or the reason of the rejection. Undefined for a token of another issuer. */
export type TokenVerdict =
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly error: string }
  | undefined;

interface Reference {
  readonly name: string;
  readonly uid?: string;
}

interface Claims {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iss: string;
  readonly jti: string;
  readonly nbf: number;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly node?: Reference;
    readonly pod?: Reference;
    readonly secret?: Reference;
    readonly serviceaccount: Reference;
  };
}

/**
 * The tokens of service accounts: JSON Web Tokens that the server signs, and does not store. A token is valid until it
 * expires, and only as long as its account and the objects that it is bound to exist with the same uid.
 *
 * Source: `pkg/serviceaccount/jwt.go` and `claims.go`. Upstream also keeps the result for ten seconds; here, a deletion has an
 * effect at once.
 */
export class ServiceAccountTokens {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #random: Random;
  readonly #lookup: ObjectLookup;
  #key: SigningKey | undefined;
  /** Tokens with a valid signature, the oldest first. Everything else is checked for each request. */
  readonly #verified = new Map<string, Claims>();

  constructor(options: { readonly clock: Pick<Clock, 'now'>; readonly random: Random; readonly lookup: ObjectLookup }) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#lookup = options.lookup;
  }

  /** Created on first use. */
  get #signingKey(): SigningKey {
    this.#key ??= new SigningKey();
    return this.#key;
  }

  get publicKeys(): readonly PublicWebKey[] {
    return [this.#signingKey.publicWebKey];
  }

  issue({ account, audiences, expirationSeconds, warnAfterSeconds, pod, secret, node }: TokenGrant): string {
    const { name, namespace = '', uid } = account.metadata;
    const seconds = Math.floor(this.#clock.now() / 1000);
    return this.#signingKey.sign({
      aud: audiences,
      exp: seconds + expirationSeconds,
      iat: seconds,
      iss: tokenIssuer,
      jti: randomUid(this.#random),
      'kubernetes.io': {
        namespace,
        ...(node && { node: { name: node.name, ...(node.uid && { uid: node.uid }) } }),
        ...(pod && { pod: { name: pod.metadata.name, uid: pod.metadata.uid } }),
        ...(secret && { secret: { name: secret.metadata.name, uid: secret.metadata.uid } }),
        serviceaccount: { name, uid },
        ...(warnAfterSeconds !== undefined && { warnafter: seconds + warnAfterSeconds }),
      },
      nbf: seconds,
      sub: `system:serviceaccount:${namespace}:${name}`,
    });
  }

  /** Checks a token for one of the audiences. */
  verify(token: string, audiences: readonly string[]): TokenVerdict {
    const claims = this.#claimsOf(token);
    if (claims === undefined || 'error' in claims) return claims;
    const common = claims.aud.filter((audience) => audiences.includes(audience));
    if (common.length === 0) {
      const [given, wanted] = [claims.aud, audiences].map(goQuoteList);
      return { error: `token audiences ${given} is invalid for the target audiences ${wanted}` };
    }
    const error = this.#timeError(claims) ?? this.#objectError(claims);
    return error === undefined ? { user: userOf(claims), audiences: common } : { error };
  }

  #claimsOf(token: string): Claims | { readonly error: string } | undefined {
    const known = this.#verified.get(token);
    if (known !== undefined) return known;
    const parsed = parseToken(token);
    if (parsed === undefined || !isOfIssuer(parsed)) return undefined;
    if (this.#key === undefined || (parsed.keyId !== '' && parsed.keyId !== this.#key.id)) {
      return { error: 'invalid signature, no keys found' };
    }
    if (!this.#key.verifies(parsed)) return { error: 'go-jose/go-jose: error in cryptographic primitive' };
    const claims = parsed.claims as Claims;
    const [oldest] = this.#verified.keys();
    if (oldest !== undefined && this.#verified.size >= verifiedMax) this.#verified.delete(oldest);
    this.#verified.set(token, claims);
    return claims;
  }

  #timeError({ exp, nbf }: Claims): string | undefined {
    const seconds = this.#clock.now() / 1000;
    if (nbf > seconds + leewaySeconds) return 'service account token is not valid yet';
    return exp < seconds - leewaySeconds ? 'service account token has expired' : undefined;
  }

  #objectError({ 'kubernetes.io': { namespace, serviceaccount, secret, pod, node } }: Claims): string | undefined {
    const account = this.#lookup('serviceaccounts', namespace, serviceaccount.name)?.metadata;
    if (account === undefined) return `serviceaccounts ${JSON.stringify(serviceaccount.name)} not found`;
    if (this.#isDeleted(account)) return `service account ${namespace}/${serviceaccount.name} has been deleted`;
    if (account.uid !== serviceaccount.uid) {
      return `service account UID (${account.uid}) does not match claim (${serviceaccount.uid})`;
    }
    const bound = secret ?? pod ?? node;
    if (bound === undefined) return undefined;
    const [what, plural] = secret ? ['secret', 'secrets'] : pod ? ['pod', 'pods'] : ['node', 'nodes'];
    const object = this.#lookup(plural, plural === 'nodes' ? '' : namespace, bound.name)?.metadata;
    if (object === undefined || this.#isDeleted(object)) return 'service account token has been invalidated';
    if (object.uid === bound.uid) return undefined;
    return `${what} UID (${object.uid}) does not match service account ${what} ref claim (${bound.uid})`;
  }

  /** Whether an object that still exists should have been deleted a while ago. */
  #isDeleted({ deletionTimestamp }: ApiObject['metadata']): boolean {
    return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < this.#clock.now() - leewaySeconds * 1000;
  }
}

function isOfIssuer({ claims }: ParsedToken): boolean {
  return typeof claims === 'object' && claims !== null && (claims as Partial<Claims>).iss === tokenIssuer;
}

const extraPrefix = 'authentication.kubernetes.io';

/** `ServiceAccountInfo.UserInfo` of apiserver `pkg/authentication/serviceaccount`. */
function userOf({ jti, 'kubernetes.io': { namespace, serviceaccount, pod, node } }: Claims): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${serviceaccount.name}`,
    uid: serviceaccount.uid ?? '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    extra: {
      [`${extraPrefix}/credential-id`]: [`JTI=${jti}`],
      ...(node && { [`${extraPrefix}/node-name`]: [node.name] }),
      ...(node?.uid && { [`${extraPrefix}/node-uid`]: [node.uid] }),
      ...(pod && { [`${extraPrefix}/pod-name`]: [pod.name] }),
      ...(pod?.uid && { [`${extraPrefix}/pod-uid`]: [pod.uid] }),
    },
  };
}
