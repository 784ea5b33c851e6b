// The baseline for the ten tests of server.mjs.
import { expect, it } from '@jest/globals';

it.each(Array.from({ length: 10 }, (_, at) => at))('test %d', (at) => {
  expect(at).toBe(at);
});
