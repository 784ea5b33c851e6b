import type { SeededRandom } from '@evenkeel/core';

/** Strings that some YAML parser reads as another type or another string. */
export const trickyTexts: readonly string[] = [
  ...['y', 'Y', 'n', 'N', 'yes', 'No', 'on', 'OFF', 'true', 'False', 'null', 'Null', '~', '', ' ', '=', '<<'],
  ...[
    '0o7',
    '012',
    '1_000',
    '1:30',
    '190:20:30',
    '0x1F',
    '0b1',
    '.5',
    '5.',
    '1e3',
    '1e+3',
    '1.0e+3',
    '1.5e3',
    '1__0',
    '+1',
  ],
  ...[
    '-1',
    '-0',
    '0',
    '1',
    '1.0',
    '.inf',
    '-.Inf',
    '.nan',
    'NaN',
    'Infinity',
    '1e21',
    '_1',
    '1_',
    '0.',
    '.',
    '..',
    '-.',
    '+',
  ],
  ...[
    '2026-11-21',
    '2026-1-1',
    '2026-11-21T15:00:00Z',
    '2026-11-21 15:00:00',
    '15:00',
    '1:2:3.4',
    '08',
    '0_8',
    '0x',
    '0o',
  ],
  ...[
    '-',
    '- x',
    '-x',
    '?',
    '? x',
    '?x',
    ':',
    ': x',
    ':x',
    'a: b',
    'a:',
    'a:b',
    '#',
    '# x',
    'a #b',
    'a#b',
    '---',
    '...',
    '--- x',
  ],
  ...[
    '&a',
    '*a',
    '!a',
    '!!str a',
    '|',
    '|-',
    '>',
    '>+',
    '%',
    '%YAML 1.1',
    '@',
    '`',
    '{',
    '}',
    '[',
    ']',
    ',',
    '{a: b}',
    '[a]',
  ],
  ...["'", '"', "it's", '"a"', '\\', '\\n', 'a\\', "''", '""', "a'", 'a"'],
  ...[' a', 'a ', '\ta', 'a\t', 'a\tb', '\t', ' \t ', 'a  b', '\u00a0', 'a\u00a0', '\u3000'],
  ...[
    'a\nb',
    'a\n',
    '\n',
    '\na',
    'a\n\n',
    '\n\n',
    'a\n\nb',
    'a\n b',
    ' a\nb',
    '  a\n b\n',
    'a \nb',
    'a\nb ',
    'a\n\tb',
    '\ta\nb',
  ],
  ...[
    'a\n# b',
    '# a\nb',
    'a: b\nc: d',
    '- a\n- b',
    '---\na',
    'a\n---\nb',
    'a\n...\n',
    'a\r\nb',
    'a\rb',
    '\r',
    'a\n   ',
    '   \na',
  ],
  ...[
    '\u0085',
    'a\u0085b',
    '\u2028',
    'a\u2028b',
    '\u2029',
    'a\nb\u2028c',
    '\ufeff',
    '\ufeffa',
    '\u0000',
    '\u0007',
    '\u001b',
    '\u007f',
  ],
  ...[
    '\u009f',
    'ä',
    '日本',
    '😀',
    'a😀\nb',
    '\ufffd',
    '\uffff',
    'x'.repeat(300),
    `${'word '.repeat(300)}end`,
    'x'.repeat(2000),
  ],
];

const numbers: readonly number[] = [
  ...[0, -0, 1, -1, 1.0, 1.5, -1.5, 0.1, 1e3, 1e20, 1e21, -1e21, 1.5e21, 1e-6, 1e-7, -1.5e-7, 123456789012345680000],
  ...[
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    2 ** 63,
    2 ** 64,
    1e100,
    5e-100,
    Number.MAX_VALUE,
    Number.MIN_VALUE,
  ],
];

/** A random JSON value with strings and keys that are likely to be read wrongly from YAML. */
export function randomYaml(random: SeededRandom, depth = 0): unknown {
  const choice = random.integer(depth < 4 ? 10 : 7);
  if (choice < 4) return randomText(random);
  if (choice === 4) return pick(random, numbers);
  if (choice === 5) return (random.next() - 0.5) * 10 ** (random.integer(60) - 30);
  if (choice === 6) return pick<unknown>(random, [true, false, {}, []]);
  const length = random.integer(5);
  if (choice === 7) return Array.from({ length }, () => randomYaml(random, depth + 1));
  const keys = Array.from({ length }, () => randomText(random)).filter((key) => key !== '__proto__');
  return Object.fromEntries(keys.map((key) => [key, randomYaml(random, depth + 1)]));
}

function randomText(random: SeededRandom): string {
  const parts = random.integer(4) === 0 ? 1 + random.integer(4) : 1;
  return Array.from({ length: parts }, () =>
    random.integer(4) === 0 ? String.fromCharCode(random.integer(0x3000)) : pick(random, trickyTexts),
  ).join(pick(random, ['', ' ', '\n', ':', ': ', ' #', '.', '-', '_']));
}

function pick<T>(random: SeededRandom, values: readonly T[]): T {
  return values[random.integer(values.length)] as T;
}
