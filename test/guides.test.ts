import { jest } from '@jest/globals';
import { Guide, hasKubectl } from './guide.fixture.ts';

jest.setTimeout(90_000);

if (!hasKubectl) process.stdout.write('skipped: what the guides show: no kubectl on PATH\n');

(hasKubectl ? describe : describe.skip)('what is seen in', () => {
  it.each([['declare-an-api.md'], ['reconcile.md', 'src/site.ts'], ['own-children.md'], ['watch-others.md']])(
    'docs/%s is what it says',
    async (page, first = '') => {
      const guide = new Guide(page, first);
      try {
        await guide.play();
      } finally {
        await guide.close();
      }
    },
  );
});
