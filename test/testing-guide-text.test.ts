import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callFaults } from '../packages/testing/src/sweeps/call-fault.ts';
import { root } from './imports.fixture.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const guide = read('docs/testing.md');

describe('the guide to testing', () => {
  it('shows the operator and the tests that run in this folder', () => {
    const blocks = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
    const asInProject = (file: string, fixture: string) =>
      read(file)
        .replace(`test/${fixture}.fixture.ts`, `src/${fixture}.ts`)
        .replace(`./${fixture}.fixture.ts`, `./${fixture}.ts`);
    expect(blocks).toEqual([
      read('test/greeting.fixture.ts'),
      asInProject('test/testing-guide.test.ts', 'greeting'),
      asInProject('test/testing-guide-fake.test.ts', 'inject-guide')
        .replace('src/inject-guide.ts', 'src/site.ts')
        .replace('./inject-guide.ts', './site.ts'),
      read('test/renewal.fixture.ts'),
      asInProject('test/testing-guide-clock.test.ts', 'renewal'),
      read('test/pods-guide.test.ts'),
      asInProject('test/versions-guide.test.ts', 'shop'),
    ]);
  });

  it('uses the versions of the guide to custom resources', () => {
    const withoutLayout = (code: string) => code.replaceAll(/\s+/g, '').replaceAll(',})', '})');
    const [, , ...classes] = read('test/shop.fixture.ts').split('\n');
    const blocks = [...read('docs/custom-resources.md').matchAll(/^```ts\n(.*?)^```$/gms)].map(
      ([, block]) => block ?? '',
    );
    expect(blocks.map(withoutLayout)).toContain(withoutLayout(classes.join('\n')));
  });

  it('lists every fault', () => {
    const listed = [...guide.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, fault]) => fault);
    expect(listed.filter((fault) => !fault?.endsWith('Sweep'))).toEqual(callFaults);
  });
});
