/** The media type of the real server's response to a request for v2 in protobuf. */
export const protobufDocumentType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/**
 * `GET /openapi/v2` in protobuf: an empty gnostic `openapi.v2.Document`. kubectl reads this form only to look up a kind
 * that is missing in v3, and then reports that the kind does not exist. An error instead of the document would hide
 * that report. Schemas are available in JSON and in v3.
 *
 * Source: gnostic `openapiv2/OpenAPIv2.proto`, Document.
 */
export function emptyProtobufDocument(): Uint8Array {
  const info = [...field(1, Buffer.from('Kubernetes')), ...field(2, Buffer.from('v1.36.3'))];
  return Uint8Array.from([...field(1, Buffer.from('2.0')), ...field(2, info), ...field(8, [])]);
}

/** A field of bytes. Its number and its length each fit into one byte. */
function field(number: number, bytes: Iterable<number>): number[] {
  const content = [...bytes];
  return [(number << 3) | 2, content.length, ...content];
}
