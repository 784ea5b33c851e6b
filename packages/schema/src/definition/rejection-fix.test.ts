import { checkCustomResourceDefinition } from '../evaluate/apiextensions/check-crd.ts';
import { corpus } from '../evaluate/apiextensions/corpus/index.fixture.ts';
import { fixOfRejection, rejectionFixes } from './rejection-fix.ts';

const topics = ['structure', 'lists', 'defaults', 'rules', 'names', 'versions'];
const errors = topics
  .flatMap((topic) => corpus[topic] ?? [])
  .flatMap(({ crd, old }) => (old === undefined ? checkCustomResourceDefinition(crd).errors : []));

describe('fixOfRejection()', () => {
  it('matches only messages that the API server returns', () => {
    const unused = rejectionFixes.filter(([rejection]) => !errors.some(({ detail }) => rejection.test(detail)));
    expect(unused).toEqual([]);
  });

  it('has a fix for every rejected schema whose message does not explain itself', () => {
    const sayIt = /^supported values|^must be object at the root|is allowed as the type at the root|object metadata$/;
    const isSchema = (field: string) => /openAPIV3Schema\./.test(field);
    // Messages about costs, rules that do not compile and defaults contain the place or the value.
    const isSaidElsewhere = ({ field, detail }: { field: string; detail: string }) =>
      /\.default(?:[.[]|$)/.test(field) || /cost|ERROR: |must evaluate to/.test(detail);
    const unmended = errors.filter(
      (error) =>
        isSchema(error.field) &&
        !isSaidElsewhere(error) &&
        !sayIt.test(error.detail) &&
        fixOfRejection(error) === undefined,
    );
    expect(unmended.map(({ field, detail }) => `${field}: ${detail}`)).toEqual([]);
  });
});
