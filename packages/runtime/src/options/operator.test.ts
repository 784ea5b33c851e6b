import { fileURLToPath } from 'node:url';
import { Manager } from '../manager/manager.ts';
import type { ManagerRunOptions } from './manager-run-options.ts';
import { defineOperator, type Operator } from './operator.ts';

class SiteController {}
const declaration = { name: 'sites', controllers: [SiteController] };

describe('defineOperator()', () => {
  it('records the declaration, and gives the Lease the name of the operator', () => {
    expect({ ...defineOperator(declaration) }).toStrictEqual(declaration);
    expect(defineOperator({ ...declaration, leaderElection: false }).leaderElection).toBeUndefined();
    expect(defineOperator({ ...declaration, leaderElection: true }).leaderElection).toEqual({ name: 'sites' });
    expect(defineOperator({ ...declaration, leaderElection: { namespace: 'a' } }).leaderElection).toEqual({
      name: 'sites',
      namespace: 'a',
    });
    expect(defineOperator({ ...declaration, leaderElection: { name: 'other' } }).leaderElection?.name).toBe('other');
  });

  it('can be spread over other options without hiding them', () => {
    const operator = defineOperator({ ...declaration, services: undefined });
    expect({ namespaces: ['a'], services: [], ...operator }).toMatchObject({ namespaces: ['a'], services: [] });
  });

  it('knows the line that called it, and does not change', () => {
    const operator = defineOperator(declaration);
    expect(operator.place?.file).toBe(fileURLToPath(import.meta.url));
    expect(operator.place?.line).toBeGreaterThan(20);
    expect(Object.isFrozen(operator)).toBe(true);
  });

  it('constructs nothing and checks nothing, so that a module can always be imported', () => {
    class Connected {
      constructor() {
        throw new Error('constructed');
      }
      async start(): Promise<void> {}
      async stop(): Promise<void> {}
    }
    expect(() => defineOperator({ name: '', controllers: [Connected], runnables: [Connected] })).not.toThrow();
  });

  it('is the only way to an operator that Manager.run accepts, which has no option of a declaration', () => {
    const run = (operator: Operator, options?: ManagerRunOptions): unknown => Manager.run(operator, options);
    const mistakes = () => [
      // @ts-expect-error: the form before there were declarations
      run({ controllers: [SiteController] }),
      // @ts-expect-error: a copy of a declaration could differ from what the roles were derived from
      run({ ...defineOperator(declaration) }),
      // @ts-expect-error: belongs to the declaration
      run(defineOperator(declaration), { services: [SiteController] }),
      // @ts-expect-error: belongs to the declaration
      run(defineOperator(declaration), { leaderElection: { name: 'sites' } }),
    ];
    expect(mistakes).toBeInstanceOf(Function);
  });
});
