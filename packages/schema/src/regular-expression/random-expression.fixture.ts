import type { Random } from '@evenkeel/core';
import { pick } from '../constraints/random-value.fixture.ts';
import { oddCharacters } from './matching-text.ts';

const flags = pick(['', '', 'i', 's', 'u', 'iu', 'su', 'g', 'm']);
const literals = pick([...'abkszABKSZ0159_-,:;@/ "', 'é', 'ß', 'ſ', '\u212a', 'İ', 'Ω', 'я', '中', '\u00a0']);
const inClass = pick([
  ...'abkszABKSZ0159_.*+?(){}|$ ',
  'é',
  'ſ',
  '\u212a',
  'я',
  '中',
  '\\]',
  '\\[',
  '\\^',
  '\\\\',
  '\\-',
]);
const sets = pick(['\\d', '\\D', '\\w', '\\W', '\\s', '\\S']);
const escapes = pick([
  '\\n',
  '\\t',
  '\\r',
  '\\v',
  '\\f',
  '\\0',
  '\\x41',
  '\\u0062',
  '\\u2028',
  '\\.',
  '\\*',
  '\\/',
  '\\$',
  '\\(',
]);
const quantifiers = pick(['*', '+', '?', '{2}', '{0,2}', '{1,}', '{1,3}', '*?', '+?', '??', '{1,2}?']);

/** A random JavaScript regular expression with every construct that RE2 supports, and some that it does not. */
export function randomExpression(random: Random): RegExp {
  for (;;) {
    try {
      return new RegExp(alternatives(random, 2), flags(random));
    } catch {
      // A range in the wrong order, or an escape that the flag u rejects.
    }
  }
}

function alternatives(random: Random, depth: number): string {
  const count = random.integer(4) === 0 ? 2 : 1;
  return Array.from({ length: count }, () => sequence(random, depth)).join('|');
}

function sequence(random: Random, depth: number): string {
  const start = random.integer(3) === 0 ? '^' : '';
  const end = random.integer(3) === 0 ? '$' : '';
  return start + Array.from({ length: 1 + random.integer(4) }, () => term(random, depth)).join('') + end;
}

function term(random: Random, depth: number): string {
  const kind = random.integer(20);
  if (kind === 0) return pick(['\\b', '\\B'])(random);
  if (kind === 1 && depth > 0) return pick(['(?=a)', '(?!a)', '(?<=a)', '(?<!a)', '\\1'])(random);
  const atom = atomOf(kind, random, depth);
  return random.integer(3) === 0 ? atom + quantifiers(random) : atom;
}

function atomOf(kind: number, random: Random, depth: number): string {
  if (kind < 4 && depth > 0) return `${pick(['(', '(?:'])(random) + alternatives(random, depth - 1)})`;
  if (kind < 8) return characterClass(random);
  if (kind < 10) return '.';
  if (kind < 12) return sets(random);
  if (kind < 14) return escapes(random);
  return literals(random);
}

function characterClass(random: Random): string {
  const items = Array.from({ length: 1 + random.integer(3) }, () => {
    const kind = random.integer(6);
    if (kind === 0) return sets(random);
    if (kind === 1) return `${inClass(random)}-${inClass(random)}`;
    return inClass(random);
  });
  return `[${random.integer(4) === 0 ? '^' : ''}${items.join('')}]`;
}

/** In strings of the last alphabet, half of the positions are inside of a character that JavaScript may read as two. */
const alphabets = pick([[...'abkszAS01_- '], oddCharacters, [...'abS1_ ', '😀', '𝒳', '𐐀']]);

/** Short strings, because JavaScript may backtrack. */
export function randomText(random: Random): string {
  const characters = alphabets(random);
  return Array.from({ length: random.integer(8) }, () => pick(characters)(random)).join('');
}
