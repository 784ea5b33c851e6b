const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\n';

function keys(count: number, line: (index: number) => string): string {
  return `${configMap}data:\n${Array.from({ length: count }, (_, index) => `  k${index}: ${line(index)}\n`).join('')}`;
}

/** Bodies of a ConfigMap in YAML, to which both servers respond alike. */
export const yamlBodies: readonly (readonly [title: string, body: string])[] = [
  ['half a million comments before the object', '#\n'.repeat(500_000) + configMap],
  ['half a million comments and nothing else', '#\n'.repeat(500_000)],
  ['half a million comments after the object', configMap + '#\n'.repeat(500_000)],
  ['many comments inside of the object', `${configMap}data:\n${'  #\n'.repeat(50_000)}  a: b\n`],
  ['a long comment', `${'#'.repeat(1_000_000)}\n${configMap}`],
  ['a million empty lines', '\n'.repeat(1_000_000) + configMap],
  ['a comment after a block scalar', `${configMap}data:\n  a: |\n    # text\n  # comment\n# comment\n`],
  ['a comment in an unterminated string', `${configMap}data: {a: "x\n# y`],
  ['aliases that expand ten times nine times', `${configMap}data:\n  a0: &a0 "x"\n${expanding(9)}`],
  ['an alias', `${configMap}data:\n  a: &a "x"\n  b: *a\n`],
  [
    '500 aliases',
    `${configMap}data:\n  a: &a "x"\n${Array.from({ length: 500 }, (_, at) => `  b${at}: *a\n`).join('')}`,
  ],
  ['an unknown alias', `${configMap}data:\n  a: *d\n`],
  ['a merge key', `${configMap}data:\n  <<: {a: b}\n`],
  ['NUL in a string', `${configMap}data: {a: "\u0000"}\n`],
  ['NUL at the end', `${configMap}\u0000`],
  ['NUL at the start', `\u0000${configMap}`],
  ['a control character in a comment', `${configMap}# \u0007\n`],
  ['a byte order mark', `\ufeff${configMap}`],
  ['the directive of YAML 1.1', `%YAML 1.1\n---\n${configMap}`],
  ['the directive of YAML 1.2', `%YAML 1.2\n---\n${configMap}`],
  ['an incompatible directive after a comment', `# a\n\n%YAML 2.0\n---\n${configMap}`],
  ['two YAML directives', `%YAML 1.1\n%YAML 1.1\n---\n${configMap}`],
  ['two YAML directives after a comment', `#\n#\n%YAML 1.1\n#\n%YAML 1.1\n---\n${configMap}`],
  ['a TAG directive', `%TAG !a! tag:x,1:\n---\n${configMap}`],
  ['the same TAG directive twice', `%TAG !a! tag:x,1:\n%TAG !a! tag:x,1:\n---\n${configMap}`],
  ['an unknown directive', `%FOO x\n---\n${configMap}`],
  ['an unknown directive after a comment', `#\n%FOO x\n---\n${configMap}`],
  ['200,000 unknown directives', `${'%a\n'.repeat(200_000)}---\n${configMap}`],
  ['two documents', `${configMap}---\n${configMap}`],
  ['200,000 empty documents', '---\n'.repeat(200_000) + configMap],
  ['200,000 commas', `${configMap}data: {${','.repeat(200_000)}}\n`],
  ['a comma after a bracket', 'a: [,]'],
  ['100,000 tags', `${configMap}data: ${'! '.repeat(100_000)}`],
  ['a tab as indentation', `${configMap}data:\n\ta: b\n`],
  ['an unknown tag', `${configMap}data:\n  a: !foo x\n`],
  ['10,001 levels of lists', `${configMap}data: ${'['.repeat(10_001)}${']'.repeat(10_001)}\n`],
  ['100,000 levels of block lists', `${configMap}data: \n${'- '.repeat(100_000)}a\n`],
  ['50,000 levels of keys', `${configMap}${'? '.repeat(50_000)}\n`],
  ['10,000 keys', keys(10_000, () => 'v')],
  ['10,000 anchors', keys(10_000, (index) => `&a${index} v`)],
  ['a string of many lines', `${configMap}data:\n  a: "${'w\n    '.repeat(150_000)}"\n`],
  ['a block of many lines', `${configMap}data:\n  a: |\n${'    x\n'.repeat(150_000)}`],
];

function expanding(times: number): string {
  const list = (index: number): string => Array.from({ length: 10 }, () => `*a${index}`).join(',');
  return Array.from({ length: times }, (_, index) => `  a${index + 1}: &a${index + 1} [${list(index)}]\n`).join('');
}
