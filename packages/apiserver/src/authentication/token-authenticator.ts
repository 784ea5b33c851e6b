import type { ApiRequest } from '../request/api-request.ts';
import { anonymous, type UserInfo } from '../request/user-info.ts';

/** Loaded with the first token, because loading takes 8 ms, and a server in the same process as its clients needs no tokens. */
const nodeCrypto = () => process.getBuiltinModule('node:crypto');

/** The bearer tokens of a server and their users. */
export class TokenAuthenticator {
  readonly #users = new Map<string, UserInfo>();

  /** Adds a token for a user. Every authenticated user is also in the group `system:authenticated`. */
  add(token: string, user: UserInfo): void {
    this.#users.set(token, authenticated(user));
  }

  /** Returns a new token for a user. */
  issue(user: UserInfo): string {
    const token = nodeCrypto().randomBytes(24).toString('base64url');
    this.add(token, user);
    return token;
  }

  userOf(token: string): UserInfo | undefined {
    const given = Buffer.from(token);
    // Every token is compared in full, so that the time does not reveal how much of a token is correct.
    let found: UserInfo | undefined;
    for (const [known, user] of this.#users) {
      const expected = Buffer.from(known);
      if (expected.length === given.length && nodeCrypto().timingSafeEqual(expected, given)) found = user;
    }
    return found;
  }

  /** The user of a request: anonymous without credentials, undefined if the credentials are invalid. */
  authenticate({ headers }: ApiRequest): UserInfo | undefined {
    const authorization = headers['authorization'];
    if (authorization === undefined || authorization === '') return anonymous;
    const token = /^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1];
    return token === undefined ? anonymous : this.userOf(token);
  }
}

export function authenticated(user: UserInfo): UserInfo {
  return user.groups.includes('system:authenticated')
    ? user
    : { ...user, groups: [...user.groups, 'system:authenticated'] };
}
