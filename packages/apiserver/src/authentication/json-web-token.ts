import type { JsonWebKey, KeyObject } from 'node:crypto';
import { nodeCrypto } from '../crypto/node-crypto.ts';

/** The public part of a key, as `/openid/v1/jwks` lists it (RFC 7517). */
export interface PublicWebKey {
  readonly use: 'sig';
  readonly kty: string;
  readonly kid: string;
  readonly crv: string;
  readonly alg: 'ES256';
  readonly x: string;
  readonly y: string;
}

/** A JSON Web Token whose signature has not been checked. */
export interface ParsedToken {
  readonly keyId: string;
  /** Undefined if it is not JSON. */
  readonly claims: unknown;
  /** The signed bytes. */
  readonly signed: string;
  readonly signature: Uint8Array;
}

/** A key that signs JSON Web Tokens with ES256, the fastest algorithm to create a key for. */
export class SigningKey {
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  readonly id: string;

  constructor() {
    const { createHash, generateKeyPairSync } = nodeCrypto();
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    this.#publicKey = publicKey;
    // `keyIDFromPublicKey` of upstream's `pkg/serviceaccount`.
    this.id = createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64url');
  }

  get publicWebKey(): PublicWebKey {
    const { x = '', y = '' }: JsonWebKey = this.#publicKey.export({ format: 'jwk' });
    return { use: 'sig', kty: 'EC', kid: this.id, crv: 'P-256', alg: 'ES256', x, y };
  }

  /** Returns a token in the compact form. */
  sign(claims: object): string {
    const signed = `${encoded({ alg: 'ES256', kid: this.id })}.${encoded(claims)}`;
    const key = { key: this.#privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${signed}.${nodeCrypto().sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
  }

  /** Whether this key signed the token. */
  verifies({ signed, signature }: ParsedToken): boolean {
    const key = { key: this.#publicKey, dsaEncoding: 'ieee-p1363' } as const;
    return nodeCrypto().verify('sha256', Buffer.from(signed), key, signature);
  }
}

/** Splits a token; undefined if it is not a JSON Web Token of an algorithm that the server accepts. */
export function parseToken(token: string): ParsedToken | undefined {
  const [header = '', payload = '', signature = '', ...rest] = token.split('.');
  if (signature === '' || rest.length > 0) return undefined;
  const { alg, kid = '' } = (decoded(header) ?? {}) as { alg?: unknown; kid?: unknown };
  if (alg !== 'ES256' || typeof kid !== 'string') return undefined;
  return {
    keyId: kid,
    claims: decoded(payload),
    signed: `${header}.${payload}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
