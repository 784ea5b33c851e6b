import { createManager } from '../manager/manager.ts';

describe('the validator of a manager', () => {
  it.each([
    [() => [], 'it is a function; call it, as in classValidator(), or write { validate: (object) => [...] }'],
    [
      Promise.resolve({ validate: () => [] }),
      'it is a promise; write "await" in front of it, as in await definitionValidator([...])',
    ],
    [{ check: () => [] }, 'it has no method validate(object) that returns a list of findings'],
    [{ validate: () => [], prepare: true }, 'or a prepare that is no method'],
    [null, 'it is null; leave it out, or give classValidator() of @evenkeel/schema/validator'],
    [true, 'it is a boolean; leave it out'],
  ])('is refused where it is none: %s', async (validator, mend) => {
    const created = createManager({ controllers: [], validator: validator as never });
    await expect(created).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining(mend),
    });
  });
});
