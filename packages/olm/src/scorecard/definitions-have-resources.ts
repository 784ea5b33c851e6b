import { type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { objectAt, objectsAt } from '../capability/specified-fields.ts';
import type { ScorecardSubject, TestFindings } from './scorecard-subject.ts';

/** Each owned CRD lists the kinds that the operator creates for its objects. */
export function definitionsHaveResources({ bundle, run }: ScorecardSubject): TestFindings {
  const owned = bundle.csv.spec?.customresourcedefinitions?.owned ?? [];
  return {
    errors: owned.flatMap(({ name, kind, resources = [] }, index) => {
      const place = `spec.customresourcedefinitions.owned[${index}].resources`;
      if (resources.length === 0) return [`${name} lists no resources; list what the operator creates in ${place}`];
      const listed = new Set(resources.map((resource) => resource.kind));
      const examples = (run?.examples ?? []).filter((example) => valueAt(example, 'kind') === kind);
      const created = run?.hasOperator === true ? kindsOwnedBy(examples, run.children) : [];
      return created
        .filter((each) => !listed.has(each))
        .map((each) => `${name} does not list ${each}, which the operator created; add it to ${place}`);
    }),
  };
}

/** The kinds of objects whose direct owner is one of these. */
function kindsOwnedBy(owners: readonly JsonObject[], children: readonly JsonObject[]): string[] {
  const uids = new Set(owners.map((owner) => valueAt(objectAt(owner, 'metadata'), 'uid')));
  const owned = children.filter((child) =>
    objectsAt(objectAt(child, 'metadata'), 'ownerReferences').some((reference) => uids.has(valueAt(reference, 'uid'))),
  );
  return [...new Set(owned.map((child) => String(valueAt(child, 'kind'))))];
}
