import { EvenkeelError } from './evenkeel-error.ts';
import { messageWithCause } from './message-with-cause.ts';

describe('messageWithCause()', () => {
  it('adds the message of the cause, or its code, unless the message contains it', () => {
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    expect(messageWithCause(new TypeError('fetch failed', { cause: refused }))).toBe('fetch failed: ECONNREFUSED');
    expect(messageWithCause(new Error('no', { cause: new Error('too late') }))).toBe('no: too late');
    expect(messageWithCause(new Error('no: too late', { cause: new Error('too late') }))).toBe('no: too late');
  });

  it('adds the messages of all causes, also if they are a circle', () => {
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
    const failed = new TypeError('fetch failed', { cause: refused });
    const wrapped = new Error('cannot read the price', { cause: failed });
    expect(messageWithCause(wrapped)).toBe('cannot read the price: fetch failed: ECONNREFUSED');
    const circle = new Error('a');
    circle.cause = new Error('b', { cause: circle });
    expect(messageWithCause(circle)).toBe('a: b');
  });

  it('is the message alone if the cause is no error, or if the error is one of Evenkeel', () => {
    expect(messageWithCause(new Error('no', { cause: 'text' }))).toBe('no');
    expect(messageWithCause(new EvenkeelError('not-converged', 'no', { cause: new Error('too late') }))).toBe('no');
    expect(messageWithCause('thrown')).toBe('thrown');
  });
});
