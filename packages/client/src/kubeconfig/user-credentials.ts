import { resolve } from 'node:path';
import { isJsonObject } from '@evenkeel/apimachinery/json';
import type { Clock } from '@evenkeel/core';
import type { Connection, Credentials } from '../connection.ts';
import { invalid, type KubeconfigEntry } from './kubeconfig.ts';
import { pluginCredentials } from './plugin-credentials.ts';
import { RereadingFile } from './rereading-file.ts';

/** A string, or a function that reads one that may change. `renew` means that the last one was rejected. */
type TextSource = string | ((options?: { readonly renew?: boolean }) => Promise<string>);

/**
 * Returns the credentials of a kubeconfig's user entry: a function that is called before each request and returns the
 * current ones. This module reads tokens, certificates and their files. Only entries with `exec` or `auth-provider`
 * load `@kubernetes/client-node`.
 */
export function userCredentials(
  user: KubeconfigEntry,
  cluster: KubeconfigEntry,
  clock: Clock,
): NonNullable<Connection['credentials']> {
  const { fields } = user;
  const impersonation = impersonationHeaders(fields);
  if (isJsonObject(fields['exec']) || isJsonObject(fields['auth-provider'])) {
    const plugin = pluginCredentials(user, cluster);
    return async (options) => {
      const credentials = await plugin(options);
      return { ...credentials, headers: { ...credentials.headers, ...impersonation } };
    };
  }
  const cert = pemOf(user, 'client-certificate', clock);
  const key = pemOf(user, 'client-key', clock);
  const token = tokenOf(user, clock);
  const basic = basicOf(fields);
  const credentialsOf = (bearer?: string, certText?: string, keyText?: string): Credentials => {
    const authorization = bearer === undefined ? basic : `Bearer ${bearer}`;
    return {
      headers: { ...(authorization === undefined ? {} : { authorization }), ...impersonation },
      cert: certText,
      key: keyText,
    };
  };
  if (typeof token !== 'function' && typeof cert !== 'function' && typeof key !== 'function') {
    const unchanging = Promise.resolve(credentialsOf(token, cert, key));
    return () => unchanging;
  }
  return async (options) =>
    credentialsOf(await currentText(token, options), await currentText(cert, options), await currentText(key, options));
}

/** Returns the current string of a source. */
export async function currentText(
  source: TextSource | undefined,
  options?: { readonly renew?: boolean },
): Promise<string | undefined> {
  return typeof source === 'function' ? await source(options) : source;
}

/** Returns PEM that is inline in base64, which has precedence, or in a file. */
export function pemOf(entry: KubeconfigEntry, field: string, clock: Clock): TextSource | undefined {
  const data = entry.fields[`${field}-data`];
  if (typeof data === 'string' && data !== '') {
    const pem = Buffer.from(data, 'base64').toString('utf8');
    if (!pem.includes('-----BEGIN ')) {
      throw invalid(entry.file, `${field}-data of "${entry.name}" is not base64-encoded PEM; fix it`);
    }
    return pem;
  }
  const path = entry.fields[field];
  if (typeof path !== 'string' || path === '') return undefined;
  const file = new RereadingFile(resolve(entry.folder, path), `${field} of "${entry.name}" in ${entry.file}`, clock);
  return (options) => file.read(options);
}

function tokenOf({ fields, folder, name, file }: KubeconfigEntry, clock: Clock): TextSource | undefined {
  const path = fields['tokenFile'];
  if (typeof path === 'string' && path !== '') {
    const source = new RereadingFile(resolve(folder, path), `tokenFile of "${name}" in ${file}`, clock);
    return (options) => source.read(options);
  }
  const token = fields['token'];
  return typeof token === 'string' && token !== '' ? token : undefined;
}

function basicOf({ username, password }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof username !== 'string' || typeof password !== 'string') return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function impersonationHeaders(fields: Readonly<Record<string, unknown>>): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  const texts = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
  if (typeof fields['as'] === 'string') headers['impersonate-user'] = fields['as'];
  if (typeof fields['as-uid'] === 'string') headers['impersonate-uid'] = fields['as-uid'];
  const groups = texts(fields['as-groups']);
  if (groups.length > 0) headers['impersonate-group'] = groups;
  const extra = fields['as-user-extra'];
  if (isJsonObject(extra)) {
    for (const [key, values] of Object.entries(extra)) {
      headers[`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`] = texts(values);
    }
  }
  return headers;
}
