import { compileIfJsonPath, compileJsonPath } from './json-path.ts';

const object = {
  spec: {
    replicas: 3,
    image: 'nginx',
    'a.b': 'dotted',
    list: ['x', 'y', 'z'],
    matrix: [[1, 2], [3]],
    empty: [],
    on: false,
  },
  status: {
    conditions: [
      { type: 'Synced', status: 'False', age: 1 },
      { type: 'Ready', status: 'True', age: 2.5 },
    ],
  },
};

const first = (path: string): unknown => compileJsonPath(path).first(object);

describe('compileJsonPath()', () => {
  it.each([
    ['.spec.replicas', 3],
    ['.spec.on', false],
    ['$.spec.image', 'nginx'],
    [".spec['image']", 'nginx'],
    ['.spec.a\\.b', 'dotted'],
    ['.spec.list[0]', 'x'],
    ['.spec.list[-1]', 'z'],
    ['.spec.list[1:]', 'y'],
    ['.spec.list[-2:-1]', 'y'],
    ['.spec.list[*]', 'x'],
    ['.spec.list[2,0]', 'z'],
    ['.spec.matrix[*][1]', undefined],
    ['.spec.*', 3],
    ['..status', { conditions: object.status.conditions }],
    ['..conditions[0].type', 'Synced'],
    ['.status.conditions[?(@.type=="Ready")].status', 'True'],
    ['.status.conditions[?(@.type == "Ready")].status', 'True'],
    [".status.conditions[?(@.type!='Ready')].status", 'False'],
    ['.status.conditions[?(@.status)].type', 'Synced'],
    ['.status.conditions[?(@.age>=1)].type', undefined],
    ['.status.conditions[?(@.none=="x")].type', undefined],
  ])('evaluates %s to %j', (path, expected) => {
    expect(first(path)).toEqual(expected);
  });

  it.each([
    '.spec.none',
    '.spec.list[3]',
    '.spec.list[-4]',
    '.spec.empty[0]',
    '.spec.image[0]',
    '.spec.image.length',
    '.spec[?(@)]',
    '.spec.list[?(@<3)]',
    '.spec.list word',
  ])('returns undefined for %s, which matches nothing', (path) => {
    expect(first(path)).toBeUndefined();
  });

  it.each([
    '.a[',
    '.a["b"]',
    '.a[?(@.b',
    '.a[?(@.b)',
    '.a..[?(',
    '.a....b',
    '.a{',
    '.a[1:2:3:4]',
    '.a[?(@.b=="c]',
    '.a "b',
  ])('rejects the invalid path %s', (path) => {
    expect(compileIfJsonPath(path)).toBeUndefined();
  });

  it('ignores inherited members', () => {
    expect(first('.constructor')).toBeUndefined();
    expect(first('.__proto__')).toBeUndefined();
    expect(compileJsonPath('.__proto__').first(JSON.parse('{"__proto__": "own"}'))).toBe('own');
  });

  it('stops if nested recursive descents visit too many values', () => {
    let deep: unknown = {};
    for (let depth = 0; depth < 400; depth++) deep = { a: deep };
    expect(compileJsonPath('..a..a..b').first(deep)).toBeUndefined();
    expect(compileJsonPath('..a').first(deep)).toBeDefined();
  });
});
