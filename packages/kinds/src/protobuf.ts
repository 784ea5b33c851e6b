export { bodyDefinitionOf } from './body-definition.ts';
export { type ProtobufDecoder, protobufDecoderOf } from './protobuf-decoder.ts';
export { decodeProtobufEnvelope, type ProtobufEnvelope } from './protobuf-envelope.ts';
export { ProtobufError } from './protobuf-reader.ts';
