import type { AppliedChild } from './applied-child.ts';
import { AppliedChildren } from './applied-children.ts';

const child = {} as AppliedChild;

describe('AppliedChildren', () => {
  it('does not grow while children are created and deleted', () => {
    const children = new AppliedChildren();
    const there = new Set<string>();
    for (let at = 0; at < 1000; at++) {
      there.add(`jobs ${at}`);
      there.delete(`jobs ${at - 3}`);
      children.set(`jobs ${at}`, child, (id) => there.has(id));
      expect(children.size).toBeLessThanOrEqual(17);
    }
    expect(children.get('jobs 999')).toBe(child);
  });

  it('keeps all existing children, and checks each at most twice on average', () => {
    const children = new AppliedChildren();
    let looks = 0;
    for (let at = 0; at < 1000; at++) {
      children.set(`configmaps ${at}`, child, () => {
        looks++;
        return true;
      });
    }
    expect(children.size).toBe(1000);
    expect(looks).toBeLessThan(2000);
    children.delete('configmaps 7');
    expect([children.get('configmaps 7'), children.size]).toEqual([undefined, 999]);
  });
});
