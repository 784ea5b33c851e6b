import { canonicalQuantity, parseQuantity, quantityNanos, readQuantity } from './quantity.ts';

describe('canonicalQuantity', () => {
  it.each([
    ['0', '0'],
    ['0.0', '0'],
    ['-0', '0'],
    ['1000m', '1'],
    ['0.5', '500m'],
    ['1.5', '1500m'],
    ['1500', '1500'],
    ['2000', '2k'],
    ['1024', '1024'],
    ['1024Mi', '1Gi'],
    ['1000Ki', '1000Ki'],
    ['0.5Mi', '512Ki'],
    ['0.5Gi', '512Mi'],
    ['1.5Gi', '1536Mi'],
    ['512', '512'],
    ['1e3', '1e3'],
    ['1e2', '100'],
    ['12e6', '12e6'],
    ['1E', '1E'],
    ['100u', '100u'],
    ['0.0001', '100u'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['-1.5', '-1500m'],
    ['.5', '500m'],
    ['1k', '1k'],
    ['1000k', '1M'],
  ])('writes %s as %s', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it('takes numbers, as JSON may have them', () => {
    expect(canonicalQuantity(0.25)).toBe('250m');
    expect(canonicalQuantity(3)).toBe('3');
  });
});

describe('parseQuantity', () => {
  it.each(['', '.', 'x', '1x', '1 Gi', '1.2.3', '1ki', '1KI', '1e', 'Mi', '--1', '1e1e1'])('refuses %j', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  it('refuses exponents and lengths that only a stranger would send', () => {
    expect(parseQuantity('1e999999999')).toBeUndefined();
    expect(parseQuantity('9'.repeat(100_000))).toBeUndefined();
  });

  it('compares amounts of different suffixes', () => {
    expect(quantityNanos('1Gi')).toBe(quantityNanos('1024Mi'));
    expect(quantityNanos('1G') < quantityNanos('1Gi')).toBe(true);
    expect(quantityNanos(undefined)).toBe(0n);
  });
});

describe('readQuantity', () => {
  it("says in upstream's words why a text is none", () => {
    expect(readQuantity('x')).toMatch(/^quantities must match the regular expression/);
    expect(readQuantity('.')).toBe('unable to parse numeric part of quantity');
    expect(readQuantity('1e')).toBe("unable to parse quantity's suffix");
  });

  it('caps amounts in binary units, as upstream does, and no others', () => {
    expect(readQuantity('16Ei')).toMatchObject({ nanos: (2n ** 63n - 1n) * 10n ** 9n });
    expect(readQuantity('16E')).toMatchObject({ nanos: 16n * 10n ** 27n });
  });
});
