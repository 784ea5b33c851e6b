import { valueAt } from '@evenkeel/apimachinery/json';
import { objectName } from '../capability/operand.ts';
import { objectAt } from '../capability/specified-fields.ts';
import { schemaFor, schemasIn, unknownFields } from './bundle-schema.ts';
import type { ScorecardSubject, TestFindings } from './scorecard-subject.ts';

/** Each version of a CRD has a schema, and the examples have no field that it lacks. */
export function definitionsHaveValidation({ bundle, examples }: ScorecardSubject): TestFindings {
  const schemas = schemasIn(bundle);
  const missing = schemas
    .filter(({ schema }) => schema === undefined)
    .map(({ kind, version }) => `${kind} ${version} has no schema; add openAPIV3Schema to its CRD`);
  const unknown = examples.flatMap((example) => {
    const found = schemaFor(example, schemas);
    const name = objectName(example);
    if (found === undefined) return [`${name}: no CRD of the bundle has ${valueAt(example, 'apiVersion')}; correct it`];
    const { schema } = found;
    if (schema === undefined) return [];
    const properties = objectAt(schema, 'properties');
    return ['spec', 'status'].flatMap((part) =>
      unknownFields(valueAt(example, part), objectAt(properties, part), part).map(
        (field) =>
          `${name}: ${field} is not in the schema of ${found.kind} ${found.version}; add it there, or correct it`,
      ),
    );
  });
  return { errors: [...missing, ...unknown] };
}
