import { badRequest } from '../status/refusal.ts';

/** The start of the next chunk of a list: the revision of the whole list, and the last key that was sent. */
export interface ContinueToken {
  /** -1: the present state, for a client that continues after 410. */
  readonly revision: number;
  readonly after: string;
}

/** After apiserver's `storage.EncodeContinue`: JSON in URL-safe base64. */
export function encodeContinue({ revision, after }: ContinueToken): string {
  const token = JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start: `${after}\u0000` });
  return Buffer.from(token).toString('base64url');
}

/** Throws 400 for a token that this server did not make. */
export function decodeContinue(text: string): ContinueToken {
  let token: unknown;
  const json = Buffer.from(text, 'base64url').toString('utf8');
  try {
    token = JSON.parse(json);
  } catch {
    const first = json[0];
    const why =
      first === undefined
        ? 'unexpected end of JSON input'
        : `invalid character '${first}' looking for beginning of value`;
    throw badRequest(`invalid continue token: continue key is not valid: ${why}`);
  }
  const { v, rv, start } = (token ?? {}) as Record<string, unknown>;
  if (v !== 'meta.k8s.io/v1') {
    throw badRequest(
      `invalid continue token: continue key is not valid: server does not recognize this encoded version "${v ?? ''}"`,
    );
  }
  if (typeof rv !== 'number' || rv === 0 || typeof start !== 'string' || start === '') {
    throw badRequest('invalid continue token: continue key is not valid: incorrect encoded start resourceVersion');
  }
  return { revision: rv, after: start.endsWith('\u0000') ? start.slice(0, -1) : start };
}
