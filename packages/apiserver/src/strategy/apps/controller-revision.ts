import type { ControllerRevision } from '@evenkeel/kinds';
import { type FieldError, isJsonObject, required } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';
import { validateImmutable, validateNonNegative } from '../number-validation.ts';

/** Sources: `pkg/registry/apps/controllerrevision/strategy.go`, `pkg/apis/apps/validation/validation.go`. */
export const controllerRevisionStrategy = defineStrategy<ControllerRevision>({
  validate: (object) => [...validateNonNegative(object.revision, 'revision'), ...dataErrors(object)],
  validateUpdate: (object, old) => [
    ...validateNonNegative(object.revision, 'revision'),
    ...validateImmutable(object.data, old.data, 'data'),
  ],
  generation: 'never',
});

function dataErrors({ data }: ControllerRevision): FieldError[] {
  if (data === undefined || data === null) return [required('data', 'data is mandatory')];
  return isJsonObject(data) ? [] : [required('data', 'data must be a valid JSON object')];
}
