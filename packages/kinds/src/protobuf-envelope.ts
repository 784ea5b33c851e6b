import { ProtobufError, ProtobufReader } from './protobuf-reader.ts';

/** A body in Kubernetes' protobuf: its type and its message. */
export interface ProtobufEnvelope {
  /** Empty if the body does not contain it. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The message of the type; shares the body's bytes. */
  readonly raw: Uint8Array;
}

const prefix = [0x6b, 0x38, 0x73, 0x00];

/**
 * Reads a body of `application/vnd.kubernetes.protobuf`: four bytes, then a `runtime.Unknown` (apimachinery's
 * `runtime/serializer/protobuf`). Ignores its encoding and content type, as the API server does.
 *
 * @throws ProtobufError if the bytes are not such a body
 */
export function decodeProtobufEnvelope(bytes: Uint8Array): ProtobufEnvelope {
  if (bytes.length === 0) throw new ProtobufError('empty data');
  if (prefix.some((byte, index) => bytes[index] !== byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${prefix.join(' ')}]`,
    );
  }
  if (bytes.length === prefix.length) throw new ProtobufError('empty body');
  let apiVersion = '';
  let kind = '';
  let raw: Uint8Array = new Uint8Array();
  const unknown = new ProtobufReader(bytes, 'Unknown', prefix.length);
  while (unknown.next()) {
    if (unknown.field === 1) {
      const typeMeta = unknown.nested('typeMeta', 'TypeMeta');
      while (typeMeta.next()) {
        if (typeMeta.field === 1) apiVersion = typeMeta.string('apiVersion');
        else if (typeMeta.field === 2) kind = typeMeta.string('kind');
        else typeMeta.skip();
      }
    } else if (unknown.field === 2) raw = unknown.bytes('raw');
    else unknown.skip();
  }
  return { apiVersion, kind, raw };
}
