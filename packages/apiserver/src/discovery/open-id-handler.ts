import { trimRight } from '../apimachinery/index.ts';
import { parseAccept } from '../handlers/negotiation.ts';
import type { PathHandler } from '../handlers/request-pipeline.ts';
import { type ApiResponse, textResponse } from '../request/api-request.ts';
import type { RequestContext } from '../request/request-context.ts';
import { methodNotAllowed, pathNotFound, refusal } from '../status/refusal.ts';

const configurationPath = '/.well-known/openid-configuration';
const keysPath = '/openid/v1/jwks';

/**
 * Serves what others need to validate tokens of service accounts: the configuration of the issuer and its public keys.
 *
 * Source: `pkg/routes/openidmetadata.go`, `pkg/serviceaccount/openidmetadata.go`.
 */
export function openIdHandler(
  issuer: string,
  tokens: { readonly publicKeys: readonly { readonly alg: string }[] },
): PathHandler {
  return (context) => {
    const path = trimRight(context.info.path, '/');
    if ([configurationPath, keysPath].some((known) => path.startsWith(`${known}/`))) throw pathNotFound();
    if (path === keysPath) {
      return document(context, 'application/jwk-set+json', () => ({ keys: tokens.publicKeys }));
    }
    if (path !== configurationPath) return undefined;
    return document(context, 'application/json', () => ({
      issuer,
      jwks_uri: `https://${context.localAddress ?? 'localhost'}${keysPath}`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...new Set(tokens.publicKeys.map(({ alg }) => alg))].sort(),
    }));
  };
}

function document({ info, headers }: RequestContext, type: string, content: () => object): ApiResponse {
  if (info.method !== 'GET') throw methodNotAllowed();
  const accept = headers['accept'] ?? '';
  const accepted = accept === '' || parseAccept(accept).some((it) => [type, '*/*', 'application/*'].includes(it.type));
  if (!accepted) throw refusal(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${type}`, {});
  const response = textResponse(200, type, JSON.stringify(content()));
  return { ...response, headers: { ...response.headers, 'cache-control': 'public, max-age=3600' } };
}
