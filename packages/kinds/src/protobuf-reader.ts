/**
 * Thrown for bytes that are not a message of the expected type. The message is that of gogo/protobuf, and so of the API
 * server.
 */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** The wire type of a field. Kubernetes types contain no groups and no 32-bit fields, so these can only be skipped. */
export type WireType = 0 | 1 | 2 | 3 | 4 | 5;

const varintType = 0;
const fixed64Type = 1;
const bytesType = 2;
const startGroupType = 3;
const endGroupType = 4;
const fixed32Type = 5;

/** Reads the fields of one message in order, and never beyond its end. Throws {@link ProtobufError} for invalid bytes. */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #message: string;
  #at: number;
  /** The two halves of the last varint, as signed 32-bit numbers. */
  #low = 0;
  #high = 0;
  #field = 0;
  #wireType = 0;

  /** `message` is the name of the message for errors. */
  constructor(bytes: Uint8Array, message: string, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#message = message;
    this.#at = start;
    this.#end = end;
  }

  /** The number of the current field; see {@link next}. */
  get field(): number {
    return this.#field;
  }

  /** Moves to the next field; returns false at the end. The value must be read or skipped before the next call. */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    this.#varint();
    this.#field = (this.#high << 29) | (this.#low >>> 3);
    this.#wireType = this.#low & 7;
    if (this.#wireType === endGroupType) {
      throw new ProtobufError(`proto: ${this.#message}: wiretype end group for non-group`);
    }
    if (this.#field <= 0) {
      throw new ProtobufError(
        `proto: ${this.#message}: illegal tag ${this.#field} (wire type ${String(this.#wireType)})`,
      );
    }
    return true;
  }

  /** Reads a 64-bit integer as a number. It is rounded beyond 2^53, as in JSON. */
  int64(name: string): number {
    this.#expect(varintType, name);
    this.#varint();
    return this.#number();
  }

  int32(name: string): number {
    this.#expect(varintType, name);
    this.#varint();
    return this.#low;
  }

  boolean(name: string): boolean {
    this.#expect(varintType, name);
    this.#varint();
    return (this.#low | this.#high) !== 0;
  }

  double(name: string): number {
    this.#expect(fixed64Type, name);
    const start = this.#skipBytes(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset + start, 8).getFloat64(0, true);
  }

  bytes(name: string): Uint8Array {
    this.#expect(bytesType, name);
    const start = this.#skipLength();
    return this.#bytes.subarray(start, this.#at);
  }

  string(name: string): string {
    return textOf(this.bytes(name));
  }

  /** Returns a reader of the message in this field; this reader continues after it. */
  nested(name: string, message: string): ProtobufReader {
    this.#expect(bytesType, name);
    const start = this.#skipLength();
    return new ProtobufReader(this.#bytes, message, start, this.#at);
  }

  /** Reads numbers or booleans that are written one by one or packed. */
  packable<T>(name: string, read: (reader: ProtobufReader) => T, add: (value: T) => void): void {
    if (this.#wireType !== bytesType) {
      add(read(this));
      return;
    }
    const packed = this.nested(name, this.#message);
    packed.#wireType = varintType;
    while (packed.#at < packed.#end) add(read(packed));
  }

  /** Skips an unknown field. */
  skip(): void {
    let open = 0;
    let wireType = this.#wireType;
    for (;;) {
      if (wireType === varintType) this.#varint();
      else if (wireType === fixed64Type) this.#skipBytes(8);
      else if (wireType === bytesType) this.#skipLength();
      else if (wireType === fixed32Type) this.#skipBytes(4);
      else if (wireType === startGroupType) open += 1;
      else if (wireType === endGroupType) open -= 1;
      else throw new ProtobufError(`proto: illegal wireType ${String(wireType)}`);
      if (open === 0) return;
      this.#varint();
      wireType = this.#low & 7;
    }
  }

  #expect(wireType: WireType, name: string): void {
    if (this.#wireType === wireType) return;
    const field = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
    throw new ProtobufError(`proto: wrong wireType = ${String(this.#wireType)} for field ${field}`);
  }

  #varint(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new ProtobufError('proto: integer overflow');
      const byte = this.#at < this.#end ? this.#bytes[this.#at] : undefined;
      if (byte === undefined) throw unexpectedEnd();
      this.#at += 1;
      const bits = byte & 0x7f;
      if (shift <= 28) low |= bits << shift;
      if (shift === 28) high |= bits >>> 4;
      else if (shift > 28) high |= bits << (shift - 32);
      if (byte < 0x80) break;
    }
    this.#low = low;
    this.#high = high;
  }

  #number(): number {
    return this.#high * 2 ** 32 + (this.#low >>> 0);
  }

  /** Skips a length-delimited field; returns its start. */
  #skipLength(): number {
    this.#varint();
    const length = this.#number();
    if (length < 0) throw new ProtobufError('proto: negative length found during unmarshaling');
    return this.#skipBytes(length);
  }

  #skipBytes(length: number): number {
    const start = this.#at;
    if (length > this.#end - start) throw unexpectedEnd();
    this.#at = start + length;
    return start;
  }
}

function unexpectedEnd(): ProtobufError {
  return new ProtobufError('unexpected EOF');
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function textOf(bytes: Uint8Array): string {
  return bytes.length === 0 ? '' : decoder.decode(bytes);
}
