import { SeededRandom } from '@evenkeel/core';
import type { ApiObject } from '../kind/api-object.ts';
import { ServiceAccountTokens, tokenIssuer } from './service-account-tokens.ts';

const account = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name: 'robot', namespace: 'default', uid: 'u1' },
} as ApiObject;
const here = [tokenIssuer];

describe('ServiceAccountTokens', () => {
  let nowMs: number;
  let stored: Map<string, ApiObject>;
  let tokens: ServiceAccountTokens;
  beforeEach(() => {
    nowMs = Date.parse('2026-01-01T00:00:00Z');
    stored = new Map([['serviceaccounts/default/robot', account]]);
    tokens = newTokens();
  });

  function newTokens(): ServiceAccountTokens {
    const lookup = (...path: string[]): ApiObject | undefined => stored.get(path.join('/'));
    return new ServiceAccountTokens({ clock: { now: () => nowMs }, random: new SeededRandom(1), lookup });
  }

  function issued(expirationSeconds = 600): string {
    return tokens.issue({ account, audiences: here, expirationSeconds });
  }

  it('accepts a token until a minute after it expires', () => {
    const token = issued();
    nowMs += 660_000;
    expect(tokens.verify(token, here)).toMatchObject({ user: { name: 'system:serviceaccount:default:robot' } });
    nowMs += 1000;
    expect(tokens.verify(token, here)).toEqual({ error: 'service account token has expired' });
  });

  it('rejects a token that is issued more than a minute in the future', () => {
    const token = issued();
    nowMs -= 60_000;
    expect(tokens.verify(token, here)).toHaveProperty('user');
    nowMs -= 1;
    expect(tokens.verify(token, here)).toEqual({ error: 'service account token is not valid yet' });
  });

  it('rejects a token of another server', () => {
    const other = newTokens().issue({ account, audiences: here, expirationSeconds: 600 });
    expect(tokens.verify(other, here)).toEqual({ error: 'invalid signature, no keys found' });
    issued();
    expect(tokens.verify(other, here)).toEqual({ error: 'invalid signature, no keys found' });
  });

  it.each([
    ['claims', 1],
    ['signature', 2],
  ])('rejects a token with the %s of another', (_, part) => {
    const parts = issued().split('.');
    parts[part] = issued(1200).split('.')[part] ?? '';
    expect(tokens.verify(parts.join('.'), here)).toEqual({
      error: 'go-jose/go-jose: error in cryptographic primitive',
    });
  });

  it.each(['none', 'HS256', 'RS256'])('rejects the algorithm %s', (alg) => {
    const [, payload, signature] = issued().split('.');
    const header = Buffer.from(JSON.stringify({ alg })).toString('base64url');
    expect(tokens.verify(`${header}.${payload}.${signature}`, here)).toBeUndefined();
    expect(tokens.verify(`${header}.${payload}.`, here)).toBeUndefined();
  });

  it('rejects an accepted token as soon as its account is deleted or created again', () => {
    const token = issued();
    expect(tokens.verify(token, here)).toHaveProperty('user');
    stored.set('serviceaccounts/default/robot', { ...account, metadata: { ...account.metadata, uid: 'u2' } });
    expect(tokens.verify(token, here)).toEqual({ error: 'service account UID (u2) does not match claim (u1)' });
    stored.clear();
    expect(tokens.verify(token, here)).toEqual({ error: 'serviceaccounts "robot" not found' });
  });

  it('rejects a token whose account is kept by finalizers, a minute after its deletion', () => {
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    stored.set('serviceaccounts/default/robot', { ...account, metadata: { ...account.metadata, deletionTimestamp } });
    const token = issued();
    nowMs += 60_000;
    expect(tokens.verify(token, here)).toHaveProperty('user');
    nowMs += 1;
    expect(tokens.verify(token, here)).toEqual({ error: 'service account default/robot has been deleted' });
  });

  it('creates no key before the first token', () => {
    expect(tokens.verify('a.b.c', here)).toBeUndefined();
    expect(tokens.verify('', here)).toBeUndefined();
  });
});
