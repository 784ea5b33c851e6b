import { describeLoop } from './run-events.ts';

describe('describeLoop()', () => {
  it.each([
    ['data.color', 'Its reconcile writes data.color of ConfigMap default/world again and again, '],
    ['', 'Its reconcile writes ConfigMap default/world again and again, '],
    ['created', 'Its reconcile creates ConfigMap default/world again and again, '],
    ['deleted', 'Its reconcile deletes ConfigMap default/world again and again, '],
  ])('says of %j what the reconcile does', (path, begin) => {
    expect(describeLoop({ object: 'ConfigMap default/world', path }).slice(0, begin.length)).toBe(begin);
  });
});
