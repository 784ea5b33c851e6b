import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@evenkeel/kinds';
import {
  defaultAdmissionPolicy,
  defaultPolicyBinding,
  mutatingPolicyBindingErrors,
  mutatingPolicyErrors,
  validatingPolicyBindingErrors,
  validatingPolicyErrors,
} from '@evenkeel/schema/evaluate';
import { type FieldError, required } from '../../apimachinery/index.ts';
import type { Strategy } from '../../kind/strategy.ts';
import { defineStrategy } from '../define-strategy.ts';
import { paramKindRefusal, paramRefRefusal } from './parameter-access.ts';

/** The names of policies and bindings that come from files of the API server, in a release that supports them. */
const staticSuffix = '.static.k8s.io';

const common = {
  allowUnconditionalUpdate: false,
  warnings: ({ metadata }: { readonly metadata: { readonly name?: string } }) =>
    metadata.name?.endsWith(staticSuffix) === true
      ? [
          `metadata.name: names ending with "${staticSuffix}" are reserved for static manifest-based configurations and cannot be managed via the API`,
        ]
      : [],
} as const;

/** Sources: `pkg/apis/admissionregistration/v1/defaults.go`, `pkg/registry/admissionregistration/validatingadmissionpolicy`. */
export const validatingAdmissionPolicyStrategy = defineStrategy<ValidatingAdmissionPolicy>({
  ...common,
  default: defaultAdmissionPolicy,
  validate: (object, context) => orRefusal(validatingPolicyErrors(object), () => paramKindRefusal(context, object)),
  validateUpdate: (object, old, context) =>
    orRefusal(validatingPolicyErrors(object, old), () => paramKindRefusal(context, object, old)),
  subresources: { status: validatingPolicyStatus() },
});

/** Source: `pkg/registry/admissionregistration/mutatingadmissionpolicy`. */
export const mutatingAdmissionPolicyStrategy = defineStrategy<MutatingAdmissionPolicy>({
  ...common,
  default: defaultAdmissionPolicy,
  validate: (object, context) => orRefusal(mutatingPolicyErrors(object), () => paramKindRefusal(context, object)),
  validateUpdate: (object, old, context) =>
    orRefusal(mutatingPolicyErrors(object, old), () => paramKindRefusal(context, object, old)),
});

/** Source: `pkg/registry/admissionregistration/validatingadmissionpolicybinding`. */
export const validatingAdmissionPolicyBindingStrategy = defineStrategy<ValidatingAdmissionPolicyBinding>({
  ...common,
  default: defaultPolicyBinding,
  validate: (object, context) =>
    orRefusal(validatingPolicyBindingErrors(object), () =>
      paramRefRefusal(context, object, 'validatingadmissionpolicies'),
    ),
  validateUpdate: (object, old, context) =>
    orRefusal(validatingPolicyBindingErrors(object), () =>
      paramRefRefusal(context, object, 'validatingadmissionpolicies', old),
    ),
});

/** Source: `pkg/registry/admissionregistration/mutatingadmissionpolicybinding`. */
export const mutatingAdmissionPolicyBindingStrategy = defineStrategy<MutatingAdmissionPolicyBinding>({
  ...common,
  default: defaultPolicyBinding,
  validate: (object, context) =>
    orRefusal(mutatingPolicyBindingErrors(object), () => paramRefRefusal(context, object, 'mutatingadmissionpolicies')),
  validateUpdate: (object, old, context) =>
    orRefusal(mutatingPolicyBindingErrors(object), () =>
      paramRefRefusal(context, object, 'mutatingadmissionpolicies', old),
    ),
});

/** Access to parameters is checked only for a valid object. */
function orRefusal(errors: readonly FieldError[], refusal: () => readonly FieldError[]): readonly FieldError[] {
  return errors.length > 0 ? errors : refusal();
}

function validatingPolicyStatus(): Strategy<ValidatingAdmissionPolicy> {
  return {
    resetsMetadata: true,
    validateUpdate: ({ status }) =>
      (status?.typeChecking?.expressionWarnings ?? []).flatMap(({ fieldRef = '', warning = '' }, index) => {
        const path = `status.typeChecking.expressionWarnings[${index}]`;
        return [
          ...(warning === '' ? [required(`${path}.warning`)] : []),
          ...(fieldRef.trim() === '' ? [required(`${path}.fieldRef`)] : []),
        ];
      }),
  };
}
