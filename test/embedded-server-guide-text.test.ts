import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './imports.fixture.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('the guide to the embedded server', () => {
  it('shows the test that runs in this folder', () => {
    const blocks = [...read('docs/embedded-server.md').matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
    expect(blocks).toContain(read('test/embedded-server-guide.test.ts').replaceAll('{ variables: {} }', ''));
  });
});
