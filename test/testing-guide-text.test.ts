import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callFaults } from '../packages/testing/src/sweeps/call-fault.ts';
import { root } from './imports.fixture.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const guide = read('docs/testing.md');

describe('the guide to testing', () => {
  it('shows the operator and the test that run in this folder', () => {
    const blocks = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
    const test = read('test/testing-guide.test.ts')
      .replace('test/greeting.fixture.ts', 'src/greeting.ts')
      .replace('./greeting.fixture.ts', './greeting.ts');
    expect(blocks).toEqual([read('test/greeting.fixture.ts'), test]);
  });

  it('lists every fault', () => {
    const listed = [...guide.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, fault]) => fault);
    expect(listed.filter((fault) => !fault?.endsWith('Sweep'))).toEqual(callFaults);
  });
});
