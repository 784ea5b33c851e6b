import { describeLoop } from './run-events.ts';

describe('describeLoop()', () => {
  it.each([
    ['data.color', 'Its reconcile writes data.color of ConfigMap default/world repeatedly, '],
    ['', 'Its reconcile writes ConfigMap default/world repeatedly, '],
    ['created', 'Its reconcile creates ConfigMap default/world repeatedly, '],
    ['deleted', 'Its reconcile deletes ConfigMap default/world repeatedly, '],
  ])('describes the action for the path %j', (path, begin) => {
    expect(describeLoop({ object: 'ConfigMap default/world', path }).slice(0, begin.length)).toBe(begin);
  });
});
