import { asReconcile } from './current-reconcile.ts';
import { requeueAfter } from './reconcile-result.ts';

describe('requeueAfter()', () => {
  it('names the controller and the line that passed an invalid duration', () => {
    const current = { controller: 'nginx', key: 'default/web', logKeys: {} };
    const messageOf = (delay: unknown): string => {
      try {
        asReconcile(current, () => requeueAfter(delay as '1s'));
      } catch (error) {
        return (error as Error).message.replace(/\(\/.*\/(reconcile-result\.test\.ts):\d+\)/, '($1:LINE)');
      }
      return 'nothing is thrown';
    };
    const where = 'requeueAfter() in a reconcile of the controller "nginx" (reconcile-result.test.ts:LINE)';
    expect(messageOf('-1s')).toBe(`${where}: "-1s" is negative; write a duration of 0 or more`);
    expect(messageOf(60)).toBe(`${where}: 60 has no unit; write '60s' for seconds, or '60ms' for milliseconds`);
    expect(messageOf(Number.NaN)).toMatch(`${where}: NaN is not a duration; write `);
    expect(asReconcile(current, () => requeueAfter('1s'))).toEqual({ outcome: 'requeue-after', afterMs: 1000 });
  });
});
