import type { Random } from '@evenkeel/core';
import { oddCharacters, type TextGenerator } from '../regular-expression/matching-text.ts';

/** Returns a random JSON value; undefined is a missing value. */
export type ValueGenerator = (random: Random) => unknown;

/** One of several values, with equal probability. */
export function pick<T>(values: readonly T[]): (random: Random) => T {
  return (random) => values[random.integer(values.length)] as T;
}

/** A value of one of several generators, with equal probability. */
export function oneOf(...generators: readonly ValueGenerator[]): ValueGenerator {
  return (random) => generators[random.integer(generators.length)]?.(random);
}

/**
 * Strings near the limit of a set: an accepted one, unchanged or with one to three characters changed, added, removed,
 * doubled or exchanged; rarely a very long one.
 *
 * @param good returns accepted strings, or lists some.
 */
export function textsNear(good: TextGenerator | readonly string[]): TextGenerator {
  const sample = typeof good === 'function' ? good : pick(good);
  return (random) => {
    const text = sample(random);
    const kind = random.integer(100);
    if (kind < 40) return text;
    if (kind === 99) return text.repeat(1 + random.integer(20)) + 'a'.repeat(random.integer(300));
    const characters = [...text];
    const other = kind < 60 ? [...sample(random)] : oddCharacters;
    for (let changes = 1 + random.integer(3); changes > 0; changes--) mutate(characters, other, random);
    return characters.join('');
  };
}

function mutate(characters: string[], alphabet: readonly string[], random: Random): void {
  const at = random.integer(characters.length + 1);
  const added = alphabet[random.integer(alphabet.length)] ?? '';
  const here = characters[at] ?? '';
  switch (random.integer(8)) {
    case 0:
      characters.splice(at, 1);
      return;
    case 1:
      characters.splice(at, 0, added);
      return;
    case 2:
      characters.splice(at, 1, added);
      return;
    case 3:
      characters.splice(at, 0, here);
      return;
    case 4:
      characters.splice(at, 1, ...(here === here.toLowerCase() ? here.toUpperCase() : here.toLowerCase()));
      return;
    case 5:
      characters.splice(at, characters.length);
      return;
    case 6:
      characters.splice(random.integer(2) === 0 ? 0 : characters.length, 0, ['\n', ' ', '\r\n', '\0'][at % 4] ?? ' ');
      return;
    default:
      characters.splice(at, 2, characters[at + 1] ?? '', here);
  }
}

/** Strings up to a length, including unusual characters. */
export function textsUpTo(length: number, alphabet: readonly string[] = oddCharacters): TextGenerator {
  return (random) => {
    let text = '';
    for (let left = random.integer(length + 1); left > 0; left--)
      text += alphabet[random.integer(alphabet.length)] ?? '';
    return text;
  };
}

/** Numbers at and near some bounds: integers, fractions, tiny and huge ones. */
export function numbersNear(...bounds: readonly number[]): (random: Random) => number {
  return (random) => {
    const bound = bounds[random.integer(bounds.length)] ?? 0;
    switch (random.integer(8)) {
      case 0:
        return bound;
      case 1:
        return -bound;
      case 2:
        return bound + (random.integer(2) === 0 ? 1 : -1) * 2 ** -random.integer(52);
      case 3:
        return bound + random.integer(21) - 10;
      case 4:
        return bound + (random.integer(2001) - 1000) / 100;
      case 5:
        return (random.next() - 0.5) * 10 ** (random.integer(40) - 20);
      case 6:
        return Math.round((random.next() - 0.5) * 10 ** random.integer(15));
      default:
        return bound * (1 + (random.next() - 0.5) / 2 ** random.integer(40));
    }
  };
}

/** Lists of a generator's values, up to a length. */
export function listsOf(item: ValueGenerator, length = 5): (random: Random) => unknown[] {
  return (random) => Array.from({ length: random.integer(length + 1) }, () => item(random));
}

/** JSON values of every type, with similar probability. */
export const anyJson: ValueGenerator = oneOf(
  textsUpTo(4),
  numbersNear(0, 1, 100),
  pick([true, false]),
  pick<unknown>([undefined, null]),
  pick<unknown>([[], ['a'], [1], [[]], [null]]),
  pick<unknown>([{}, { a: 1 }, { a: null }, { a: { b: [] } }]),
);

/** One value of every type and limit, with which each case is checked in addition to its own values. */
export const everyType: readonly unknown[] = [
  ...[undefined, null, true, false, '', ' ', 'a', '0', '1', 'true', 'null'],
  ...[0, -1, 1, 0.5, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 2 ** 63, 1e-7, 1e21, 1e300, 97],
  ...[[], [null], ['a'], [0], [[]], [{}], {}, { a: 1 }, { a: null }, { length: 1 }],
];
