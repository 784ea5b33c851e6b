/** One field of a message as it stands on the wire: a number, or bytes that hold text or another message. */
export interface WireField {
  readonly number: number;
  /** A varint as it is, unsigned; a double as a number. */
  readonly value: bigint | number | Uint8Array;
}

/** Reads the wire format of protocol buffers. Throws RangeError for what is no message. */
export class ProtobufReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  *fields(): Generator<WireField> {
    while (this.#at < this.#bytes.length) {
      const tag = this.#varint();
      const number = Number(tag >> 3n);
      switch (Number(tag & 7n)) {
        case 0:
          yield { number, value: this.#varint() };
          break;
        case 1:
          yield { number, value: this.#double() };
          break;
        case 2:
          yield { number, value: this.#take(Number(this.#varint())) };
          break;
        case 5:
          this.#take(4);
          break;
        default:
          throw new RangeError(`field ${number} has an unknown type`);
      }
    }
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('it ends within a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new RangeError('a number is too long');
  }

  #double(): number {
    const bytes = this.#take(8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('it ends within a field');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}
