import {
  bodyDefinitionOf,
  decodeProtobufEnvelope,
  type ProtobufEnvelope,
  ProtobufError,
  protobufDecoderOf,
} from '@evenkeel/kinds/protobuf';
import { badRequest } from '../status/refusal.ts';

/**
 * Decodes a protobuf body to the same value as the body in JSON. The body must contain its type, as every client's does;
 * the caller must check that it is the expected one.
 *
 * Throws 400, with the real server's message, unless the body is a message of a served built-in type. Custom kinds have no
 * protobuf encoding.
 */
export async function parseProtobufBody(body: Uint8Array, expectedKind: string): Promise<Record<string, unknown>> {
  const { apiVersion, kind: givenKind, raw } = openEnvelope(body, expectedKind);
  const kind = givenKind === '' ? expectedKind : givenKind;
  const version = apiVersion.split('/').at(-1) ?? '';
  const wantsOptions = expectedKind === deleteOptions;
  // Errors in options are reported without the name of their kind.
  const cannotHandle = wantsOptions ? '' : `${kind} in version "${version}" cannot be handled as a ${expectedKind}: `;
  const definition = bodyDefinitionOf(apiVersion, kind);
  if (definition === undefined || (wantsOptions && kind !== deleteOptions)) {
    const why = `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/runtime/scheme.go:111"`;
    throw badRequest(`${cannotHandle}${why}`);
  }
  const decode = await protobufDecoderOf(definition);
  try {
    return { kind, apiVersion, ...decode(raw) };
  } catch (error) {
    if (error instanceof ProtobufError) throw badRequest(`${cannotHandle}${error.message}`);
    throw error;
  }
}

const deleteOptions = 'DeleteOptions';

function openEnvelope(body: Uint8Array, expectedKind: string): ProtobufEnvelope {
  try {
    return decodeProtobufEnvelope(body);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    if (expectedKind === deleteOptions) throw badRequest(error.message);
    const unrecognized = `the object provided is unrecognized (must be of type ${expectedKind})`;
    throw badRequest(`${unrecognized}: ${error.message} (${summary(body)})`);
  }
}

const shownMax = 1024;

/** The start of a body, as messages quote it (apiserver's `summarizeData`). */
function summary(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, shownMax));
  const rest = body.length > shownMax ? ' ...' : '';
  return `${start.toString(start[0] === 0x7b ? 'utf8' : 'hex')}${rest}`;
}
