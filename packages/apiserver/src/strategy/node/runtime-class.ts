import type { RuntimeClass } from '@evenkeel/kinds/node/v1';
import {
  dns1123LabelErrors,
  duplicate,
  type FieldError,
  invalidBy,
  required,
  validateLabels,
} from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';
import { deprecatedNodeLabel } from '../deprecated-node-label.ts';
import { validateImmutable } from '../number-validation.ts';
import { validateResourceRequirements } from '../pod/resource-validation.ts';
import { validateTolerations } from '../pod/toleration-validation.ts';
import { defaultResourceList } from '../resource-list-defaults.ts';

/** Source: `pkg/registry/node/runtimeclass/strategy.go`. */
export const runtimeClassStrategy = defineStrategy<RuntimeClass>({
  default({ overhead }) {
    defaultResourceList(overhead?.podFixed);
  },
  validate: validateRuntimeClass,
  validateUpdate: (object, old) => [
    ...validateRuntimeClass(object),
    ...validateImmutable(object.handler ?? '', old.handler ?? '', 'handler'),
  ],
  warnings: ({ scheduling }) =>
    Object.keys(scheduling?.nodeSelector ?? {}).flatMap((key) => {
      const message = deprecatedNodeLabel(key);
      return message === undefined ? [] : [`scheduling.nodeSelector: ${message}`];
    }),
  generation: 'never',
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
});

/** Source: `ValidateRuntimeClass`, `pkg/apis/node/validation/validation.go`. */
function validateRuntimeClass({ handler = '', overhead, scheduling }: RuntimeClass): readonly FieldError[] {
  const { nodeSelector, tolerations = [] } = scheduling ?? {};
  const errors = handler === '' ? [required('handler')] : invalidBy(dns1123LabelErrors, 'handler', handler);
  if (overhead !== undefined) {
    errors.push(...validateResourceRequirements({ limits: overhead.podFixed ?? {} }, 'overhead'));
  }
  errors.push(...validateLabels(nodeSelector, 'scheduling.nodeSelector'));
  const path = 'scheduling.tolerations';
  errors.push(...validateTolerations(tolerations, path));
  const known = new Set<string>();
  for (const [index, toleration] of tolerations.entries()) {
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const listKey = JSON.stringify([key, operator, value, effect]);
    if (known.has(listKey)) {
      // The value is printed like Go's internal type.
      const shown = { Key: key, Operator: operator, Value: value, Effect: effect };
      errors.push(
        duplicate(`${path}[${index}]`, { ...shown, TolerationSeconds: toleration.tolerationSeconds ?? null }),
      );
    }
    known.add(listKey);
  }
  return errors;
}
