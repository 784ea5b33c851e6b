import { createManager } from '../manager/manager.ts';

describe('createManager()', () => {
  it.each([
    [() => [], 'it is a function; call it, as in classValidator(), or write { validate: (object) => [...] }'],
    [Promise.resolve({ validate: () => [] }), 'it is a promise; await it, as in await definitionValidator([...])'],
    [
      { check: () => [] },
      'it has no method validate, or its prepare is not a method; pass an object with validate(object), which returns a list of findings',
    ],
    [{ validate: () => [], prepare: true }, 'or its prepare is not a method'],
    [null, 'it is null; remove it, or pass classValidator() of @evenkeel/schema/validator'],
    [true, 'it is a boolean; remove it'],
  ])('rejects the invalid validator %s', async (validator, fix) => {
    const created = createManager({ controllers: [], validator: validator as never });
    await expect(created).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining(fix),
    });
  });
});
