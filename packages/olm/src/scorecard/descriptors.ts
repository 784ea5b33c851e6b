import { isJsonObject, type JsonObject, valueAt } from '@evenkeel/apimachinery/json';
import { parseApiVersion } from '@evenkeel/core';
import type { DescribedDefinition } from '../bundle/cluster-service-version.ts';
import { objectName } from '../capability/operand.ts';
import { objectAt } from '../capability/specified-fields.ts';
import { hasField, schemasIn } from './bundle-schema.ts';
import type { ScorecardSubject, TestFindings } from './scorecard-subject.ts';

/** Each field in the spec of an example has a descriptor, and each descriptor is for a field. */
export function specDescriptors(subject: ScorecardSubject): TestFindings {
  return described(subject, 'spec', (example) => fieldsIn(example, 'spec'));
}

/** Each field in the status of an example has a descriptor, and each descriptor is for a field. */
export function statusDescriptors(subject: ScorecardSubject): TestFindings {
  const { run, examples } = subject;
  const live = new Map((run?.examples ?? []).map((example) => [nameOf(example), example]));
  const fieldsOf = (example: JsonObject): string[] => [
    ...new Set([...fieldsIn(example, 'status'), ...fieldsIn(live.get(nameOf(example)) ?? {}, 'status')]),
  ];
  const { errors } = described(subject, 'status', fieldsOf);
  const without = examples.filter((example) => fieldsOf(example).length === 0);
  return {
    errors,
    suggestions: without.map((example) => `${objectName(example)} has no status, so only its schema was checked`),
  };
}

function described(
  { bundle, examples }: ScorecardSubject,
  part: 'spec' | 'status',
  fieldsOf: (example: JsonObject) => readonly string[],
): TestFindings {
  const schemas = schemasIn(bundle);
  const owned = bundle.csv.spec?.customresourcedefinitions?.owned ?? [];
  const undescribed = examples.flatMap((example) => {
    const name = objectName(example);
    const index = owned.findIndex((each) => isOf(each, example));
    const found = owned[index];
    if (found === undefined)
      return [`${name}: the operator does not own its kind; add it to spec.customresourcedefinitions.owned`];
    const described = new Set(descriptorsOf(found, part).map(({ path }) => path));
    return fieldsOf(example)
      .filter((field) => !described.has(field))
      .map(
        (field) =>
          `${name}: ${part}.${field} has no descriptor; add it to spec.customresourcedefinitions.owned[${index}].${part}Descriptors`,
      );
  });
  const dangling = owned.flatMap((each, index) => {
    const schema = schemas.find(({ kind, version }) => kind === each.kind && version === each.version)?.schema;
    if (schema === undefined) return [];
    const inPart = objectAt(objectAt(schema, 'properties'), part);
    return descriptorsOf(each, part).flatMap(({ path }, at) =>
      path !== undefined && hasField(inPart, path)
        ? []
        : [
            `spec.customresourcedefinitions.owned[${index}].${part}Descriptors[${at}]: the schema of ${each.kind} ${each.version} has no ${part}.${path ?? ''}; correct the path`,
          ],
    );
  });
  return { errors: [...undescribed, ...dangling] };
}

function descriptorsOf(
  owned: DescribedDefinition,
  part: 'spec' | 'status',
): NonNullable<DescribedDefinition['specDescriptors']> {
  return (part === 'spec' ? owned.specDescriptors : owned.statusDescriptors) ?? [];
}

function isOf({ name = '', kind, version }: DescribedDefinition, example: JsonObject): boolean {
  const of = parseApiVersion(String(valueAt(example, 'apiVersion')));
  return kind === valueAt(example, 'kind') && version === of.version && name.endsWith(`.${of.group}`);
}

function fieldsIn(example: JsonObject, part: string): string[] {
  const value = valueAt(example, part);
  return isJsonObject(value) ? Object.keys(value) : [];
}

/** Without the namespace, which a run chooses. */
function nameOf(example: JsonObject): string {
  return `${valueAt(example, 'apiVersion')} ${valueAt(example, 'kind')} ${valueAt(objectAt(example, 'metadata'), 'name')}`;
}
