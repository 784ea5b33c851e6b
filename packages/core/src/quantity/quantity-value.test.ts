import { quantityValue } from './quantity-value.ts';

describe('quantityValue', () => {
  it.each([
    ['64Mi', 67_108_864],
    ['1.5Gi', 1_610_612_736],
    ['250m', 0.25],
    ['123456789n', 0.123456789],
    ['1e3', 1000],
    ['12k', 12_000],
    ['-2', -2],
    [3, 3],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('reads %s as %d', (quantity, value) => {
    expect(quantityValue(quantity)).toBe(value);
  });

  it.each(['', '64MiB', '1 Gi', 'ten', undefined as never, Number.NaN])('rejects %p', (quantity) => {
    expect(() => quantityValue(quantity)).toThrow(
      expect.objectContaining({ code: 'invalid-quantity', message: expect.stringContaining('is not a quantity') }),
    );
  });
});
