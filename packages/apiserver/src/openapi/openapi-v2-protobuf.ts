/** What the real server answers with where v2 is asked for in protobuf. */
export const protobufDocumentType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/**
 * `GET /openapi/v2` in protobuf: a gnostic `openapi.v2.Document` that describes nothing. kubectl reads this form only to
 * look up a kind that v3 did not know, and then says that there is none; a refusal in place of the document would hide
 * that. Schemas are written in JSON and in v3.
 *
 * Source: gnostic `openapiv2/OpenAPIv2.proto`, Document.
 */
export function emptyProtobufDocument(): Uint8Array {
  const info = [...field(1, Buffer.from('Kubernetes')), ...field(2, Buffer.from('v1.36.3'))];
  return Uint8Array.from([...field(1, Buffer.from('2.0')), ...field(2, info), ...field(8, [])]);
}

/** A field of bytes; its number and length fit in one byte each. */
function field(number: number, bytes: Iterable<number>): number[] {
  const content = [...bytes];
  return [(number << 3) | 2, content.length, ...content];
}
