import { posix } from 'node:path';
import { badRequest } from '../status/refusal.ts';

/** The start of the next chunk of a list: the revision of the whole list, and the last key that was sent. */
export interface ContinueToken {
  /** Negative: the current state, for a client that continues after 410. */
  readonly revision: number;
  readonly after: string;
}

/** After apiserver's `storage.EncodeContinue`: JSON in URL-safe base64. */
export function encodeContinue({ revision, after }: ContinueToken): string {
  const token = JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${after}\u0000` });
  return Buffer.from(token).toString('base64url');
}

/** Throws 400 for a token that this server did not create, with the messages of `storage.DecodeContinue`. */
export function decodeContinue(text: string): ContinueToken {
  const token = parsed(text);
  if (Array.isArray(token))
    throw invalidToken('json: cannot unmarshal array into Go value of type storage.continueToken');
  const { v = '', rv = 0, start = '' } = (token ?? {}) as Record<string, unknown>;
  if (typeof v !== 'string') throw wrongType(v, 'v', 'string');
  if (typeof rv !== 'number' || !Number.isSafeInteger(rv)) throw wrongType(rv, 'rv', 'int64');
  if (typeof start !== 'string') throw wrongType(start, 'start', 'string');
  if (v !== 'meta.k8s.io/v1') throw invalidToken(`server does not recognize this encoded version ${v}`);
  if (rv === 0) throw invalidToken('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (start === '') throw invalidToken('encoded start key empty (version meta.k8s.io/v1)');
  if (posix.normalize(`/${start}`) !== `/${start}`) throw invalidToken(start);
  return { revision: rv, after: start.endsWith('\u0000') ? start.slice(0, -1) : start };
}

function parsed(text: string): unknown {
  // Go's decoder accepts no padding.
  const end = /[^\w-]/.exec(text)?.index ?? (text.length % 4 === 1 ? text.length - 1 : -1);
  if (end >= 0) throw invalidToken(`illegal base64 data at input byte ${end}`);
  const json = Buffer.from(text, 'base64url').toString('utf8');
  try {
    return JSON.parse(json);
  } catch {
    const first = json[0];
    throw invalidToken(
      first === undefined
        ? 'unexpected end of JSON input'
        : `invalid character '${first}' looking for beginning of value`,
    );
  }
}

function wrongType(value: unknown, field: string, type: string): Error {
  // Go names the value of a number that does not fit, but not that of a number in place of a string.
  const given = typeof value === 'number' && type === 'int64' ? `number ${value}` : typeof value;
  return invalidToken(`json: cannot unmarshal ${given} into Go struct field continueToken.${field} of type ${type}`);
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
