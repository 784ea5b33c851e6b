import { asReconcile } from './current-reconcile.ts';
import { requeueAfter } from './reconcile-result.ts';

describe('requeueAfter()', () => {
  it('names the controller that passed an invalid duration', () => {
    const current = { controller: 'nginx', key: 'default/web', logKeys: {} };
    expect(() => asReconcile(current, () => requeueAfter('-1s'))).toThrow(
      'requeueAfter() in a reconcile of the controller "nginx": "-1s" is not a duration; write ',
    );
    expect(() => requeueAfter(Number.NaN)).toThrow(/^requeueAfter\(\): NaN is not a duration/);
    expect(asReconcile(current, () => requeueAfter('1s'))).toEqual({ outcome: 'requeue-after', afterMs: 1000 });
  });
});
