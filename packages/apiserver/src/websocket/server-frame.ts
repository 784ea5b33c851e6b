/** The types of frames, which are not masked if the server sends them: RFC 6455, section 5.2. */
const text = 0x81;
const close = 0x88;
const pong = 0x8a;

/** The bytes before the payload of a text frame. */
export function textFrameHead({ byteLength }: Uint8Array): Uint8Array {
  if (byteLength < 126) return Buffer.of(text, byteLength);
  if (byteLength < 0x10000) {
    const head = Buffer.of(text, 126, 0, 0);
    head.writeUInt16BE(byteLength, 2);
    return head;
  }
  const head = Buffer.alloc(10);
  head.set([text, 127]);
  head.writeBigUInt64BE(BigInt(byteLength), 2);
  return head;
}

/** The close frame: code 1000 for a normal end, 1002 after a protocol error. */
export function closeFrame(code: 1000 | 1002): Uint8Array {
  return Buffer.of(close, 2, code >> 8, code & 0xff);
}

/** The response to a ping, whose payload has at most 125 bytes. */
export function pongFrame(payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.of(pong, payload.byteLength), payload]);
}
