import { SeededRandom } from '../contract/random.ts';
import { type FieldTree, readFieldTree, writeFieldTree } from './kind-fields.ts';

interface Fields {
  readonly [name: string]: Fields;
}

function treeOf(fields: Fields): FieldTree {
  return new Map(Object.entries(fields).map(([name, below]) => [name, treeOf(below)]));
}

describe('writeFieldTree and readFieldTree', () => {
  it('use a line for each field of the second level, and brackets for deeper fields', () => {
    const tree = treeOf({
      status: { conditions: { type: {}, status: {} } },
      spec: { size: {}, template: { spec: { containers: { name: {}, image: {} } }, metadata: {} } },
      data: {},
    });
    const lines = [
      'data',
      'spec.size',
      'spec.template(metadata,spec(containers(image,name)))',
      'status.conditions(status,type)',
    ];
    expect(writeFieldTree(tree)).toEqual(lines);
    expect(readFieldTree(lines)).toEqual(tree);
  });

  it('restore the tree for any names of fields (seed 7)', () => {
    const random = new SeededRandom(7);
    const signs = ['a', 'b', '.', ',', '(', ')', '%', '2', 'e', '__proto__', 'é', ' ', '"'];
    const name = (): string =>
      Array.from({ length: 1 + random.integer(4) }, () => signs[random.integer(signs.length)]).join('');
    const tree = (depth: number): FieldTree =>
      new Map(Array.from({ length: depth === 0 ? 0 : random.integer(4) }, () => [name(), tree(depth - 1)] as const));
    for (let at = 0; at < 500; at++) {
      const made = tree(5);
      expect(readFieldTree(writeFieldTree(made))).toEqual(made);
    }
  });

  it.each(['', '.', 'spec.', '.spec', 'spec(', 'spec(a', 'spec)', 'spec()', 'spec(a,)', 'a,b', 'spec(a)b', 5])(
    'reject %j',
    (line) => {
      expect(() => readFieldTree([line as string])).toThrow(
        /invalid field path .*; pass the output of "evenkeel generate"/,
      );
    },
  );
});
