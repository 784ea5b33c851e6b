import type { ApiResponse } from '../request/api-request.ts';
import { encodedParts } from './encoding.ts';

const json = { format: 'json', pretty: false } as const;

async function textOf({ body }: ApiResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body instanceof Uint8Array ? [body] : body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

describe('encodedParts()', () => {
  it('returns short JSON as a whole, with its length', async () => {
    const response = await encodedParts(['{"items":[', '1', ',2', ']}'], json);
    expect(response.body).toBeInstanceOf(Uint8Array);
    expect(await textOf(response)).toBe('{"items":[1,2]}\n');
  });

  it('encodes long JSON while it is read', async () => {
    let encoded = 0;
    function* parts() {
      yield '[""';
      for (; encoded < 10_000; encoded++) yield `,"${'é'.repeat(500)}"`;
      yield ']';
    }
    const response = await encodedParts(parts(), json);
    expect(response.body).not.toBeInstanceOf(Uint8Array);
    expect(encoded).toBeLessThan(2000);
    const text = await textOf(response);
    expect(text.endsWith(']\n')).toBe(true);
    expect(JSON.parse(text)).toHaveLength(10_001);
  });

  it('formats long JSON for people as a whole', async () => {
    const response = await encodedParts(['["', 'x'.repeat(1_000_000), '"]'], { ...json, pretty: true });
    expect(await textOf(response)).toBe(`[\n  "${'x'.repeat(1_000_000)}"\n]`);
  });
});
