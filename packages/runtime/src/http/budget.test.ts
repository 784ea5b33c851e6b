import { Budget } from './budget.ts';

/** Collects who has got their amount. */
function waiters(budget: Budget) {
  const served: string[] = [];
  const take = (name: string, amount: number) => {
    const waiting = budget.take(amount);
    if (waiting === undefined) served.push(name);
    else void waiting.then(() => served.push(name));
    return waiting;
  };
  return { served, take };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('Budget', () => {
  it('gives amounts in order, and does not let a small one pass a large one', async () => {
    const budget = new Budget(10);
    const { served, take } = waiters(budget);
    take('a', 6);
    take('b', 6);
    take('c', 1);
    await settle();
    expect(served).toEqual(['a']);
    budget.free(6);
    await settle();
    expect(served).toEqual(['a', 'b', 'c']);
  });

  it('gives everything to who takes more than there is', async () => {
    const budget = new Budget(10);
    const { served, take } = waiters(budget);
    take('a', 100);
    take('b', 1);
    await settle();
    expect(served).toEqual(['a']);
    budget.free(100);
    await settle();
    expect(served).toEqual(['a', 'b']);
  });

  it('serves the next if one stops waiting, before and after it got its amount', async () => {
    const budget = new Budget(2);
    const { served, take } = waiters(budget);
    take('a', 2);
    const large = take('b', 2);
    const late = take('c', 2);
    take('d', 1);
    budget.leave(large as Promise<void>, 2);
    budget.free(2);
    await settle();
    expect(served).toEqual(['a', 'c']);
    budget.leave(late as Promise<void>, 2);
    await settle();
    expect(served).toEqual(['a', 'c', 'd']);
  });
});
