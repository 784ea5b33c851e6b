import type { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';
import { noConversion } from '@evenkeel/testing/webhook';
import { changedFields, shownChange } from '../cluster/changed-fields.ts';

const fieldsShown = 10;

/**
 * Returns the differences between the CRD on a cluster and the CRD of the classes, without defaults of the server. A schema has no
 * defaults, so an additional field in it is a difference. Server-side apply does not remove such a field if another manager has added it. A
 * CRD without a declared conversion must have none.
 */
export function definitionDrift(wanted: CustomResourceDefinition, live: CustomResourceDefinition): string[] {
  const spec = { ...wanted.spec, conversion: wanted.spec.conversion ?? noConversion };
  const changes = changedFields({ spec: live.spec }, { spec }).filter(
    ({ path, to }) => to !== undefined || path.includes('.openAPIV3Schema'),
  );
  const lines = changes.slice(0, fieldsShown).map(shownChange);
  return changes.length > fieldsShown ? [...lines, `and ${changes.length - fieldsShown} more fields`] : lines;
}
