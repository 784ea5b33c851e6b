import { nodeCrypto } from '../crypto/node-crypto.ts';
import type { ApiRequest } from '../request/api-request.ts';
import { anonymous, type UserInfo } from '../request/user-info.ts';
import { type ServiceAccountTokens, type TokenVerdict, tokenIssuer } from './service-account-tokens.ts';

/** The audiences of this server. */
const audiences: readonly string[] = [tokenIssuer];

/** The bearer tokens of a server and their users: fixed tokens, and those of service accounts. */
export class TokenAuthenticator {
  /** By the hash of the token, so that the time of a look-up does not reveal how much of a token is correct. */
  readonly #users = new Map<string, UserInfo>();
  readonly #accounts: ServiceAccountTokens;

  constructor(accounts: ServiceAccountTokens) {
    this.#accounts = accounts;
  }

  /** Adds a token for a user. Every authenticated user is also in the group `system:authenticated`. */
  add(token: string, user: UserInfo): void {
    this.#users.set(hashOf(token), authenticated(user));
  }

  /** Returns a new token for a user. */
  issue(user: UserInfo): string {
    const token = nodeCrypto().randomBytes(24).toString('base64url');
    this.add(token, user);
    return token;
  }

  /** Whose token it is. A fixed token is valid for the audiences of this server only. Default: these audiences. */
  verify(token: string, wanted: readonly string[] = audiences): TokenVerdict {
    const user = this.#users.get(hashOf(token));
    if (user === undefined) return this.#accounts.verify(token, wanted);
    const common = audiences.filter((audience) => wanted.includes(audience));
    return common.length === 0 ? undefined : { user, audiences: common };
  }

  /**
   * The user of a request: anonymous without a bearer token, undefined if the token is invalid. Source: apiserver
   * `pkg/authentication/request/bearertoken`.
   */
  authenticate({ headers }: ApiRequest, warn: (message: string) => void): UserInfo | undefined {
    const [scheme, token, ...rest] = (headers['authorization'] ?? '').trim().split(' ');
    if (token === undefined || scheme?.toLowerCase() !== 'bearer') return anonymous;
    if (token === '') {
      if (rest.length > 0) warn(spaceIgnored);
      return anonymous;
    }
    const verdict = this.verify(token);
    return verdict !== undefined && 'user' in verdict ? verdict.user : undefined;
  }
}

const spaceIgnored = 'the provided Authorization header contains extra space before the bearer token, and is ignored';

function hashOf(token: string): string {
  return nodeCrypto().hash('sha256', token, 'base64');
}

export function authenticated(user: UserInfo): UserInfo {
  return user.groups.includes('system:authenticated')
    ? user
    : { ...user, groups: [...user.groups, 'system:authenticated'] };
}
