import type { EvenkeelError } from '@evenkeel/core';
import { defineOperator, type OperatorDeclaration } from '../options/operator.ts';
import { checkOperator, operatorMistakes } from './check-operator.ts';

class SiteController {}
class Prices {}

function mistakes(declaration: object): string[] {
  const operator = defineOperator({
    name: 'sites',
    controllers: [SiteController],
    ...declaration,
  } as OperatorDeclaration);
  return operatorMistakes(operator).map(({ code, message }) => `${message} [${code}]`);
}

describe('operatorMistakes()', () => {
  it('accepts a complete declaration', () => {
    const all = {
      services: [Prices],
      runnables: [],
      namespaces: ['blue'],
      cache: [],
      leaderElection: { namespace: 'blue', leaseDuration: '30s' },
      metricsAuthentication: true,
      validator: { validate: () => [] },
    };
    expect(mistakes(all)).toEqual([]);
  });

  it.each<[object, string]>([
    [{ name: 'Sites' }, 'defineOperator(): name is "Sites"; set a name of lower-case letters'],
    [{ name: undefined }, 'defineOperator(): name is undefined; set a name'],
    [{ controlers: [] }, 'defineOperator(): unknown option "controlers"; did you mean "controllers"?'],
    [
      { gracePeriod: '5s' },
      'unknown option "gracePeriod"; pass it to Manager.run(), as in Manager.run(operator, { ... })',
    ],
    [{ namespaces: [] }, 'namespaces: the list is empty, so nothing would be watched; remove it to watch all'],
    [{ namespaces: ['*'] }, 'namespaces: invalid namespace name "*"'],
    [{ leaderElection: 'sites' }, 'defineOperator(): leaderElection is "sites"; set true, or an object'],
    [{ leaderElection: { id: 'a' } }, 'defineOperator(): unknown option "leaderElection.id"'],
    [{ leaderElection: { renewDeadline: '1m' } }, 'renewDeadline (60000 ms) is not less than leaseDuration'],
    [{ metricsAuthentication: 'yes' }, 'defineOperator(): metricsAuthentication is "yes"; set true or false'],
    [{ services: [7] }, 'defineOperator(): the option "services" is invalid: entry 1 of 1 is a number'],
    [{ controllers: undefined }, 'defineOperator(): the option "controllers" is missing'],
    [{ controllers: [] }, 'so nothing would run; pass controllers'],
  ])('rejects %p', (declaration, message) => {
    expect(mistakes(declaration)).toEqual([expect.stringContaining(message)]);
  });

  it('returns all mistakes', () => {
    expect(mistakes({ name: '', services: 7, namespaces: ['A'] })).toHaveLength(3);
  });
});

describe('checkOperator()', () => {
  const mistakeOf = (given: unknown): EvenkeelError | undefined => {
    try {
      checkOperator(given);
      return undefined;
    } catch (error) {
      return error as EvenkeelError;
    }
  };

  it('accepts the value of defineOperator()', () => {
    expect(mistakeOf(defineOperator({ name: 'sites', controllers: [SiteController] }))).toBeUndefined();
  });

  it('rejects the form before there were declarations, with the code to write', () => {
    const { code, message } = mistakeOf({ controllers: [SiteController], services: [Prices, () => {}] }) ?? {};
    expect(code).toBe('operator-not-declared');
    expect(message).toBe(
      'Manager.run(): the first argument is not the value of defineOperator(); write a module src/operator.ts with: ' +
        "export const operator = defineOperator({ name: 'my-operator', controllers: [SiteController], services: [Prices, ...] }); " +
        "set operator: './src/operator.ts' in evenkeel.config.ts, and call Manager.run(operator, { ... }) with the options that are known only at run time",
    );
  });

  it.each([undefined, null, 7, {}])('rejects %p with an example', (given) => {
    expect(mistakeOf(given)?.message).toContain('controllers: [TheController]');
  });
});
