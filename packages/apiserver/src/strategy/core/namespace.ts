import type { Namespace } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  type FieldError,
  invalid,
  invalidBy,
  labelKeyErrors,
  nameRule,
} from '../../apimachinery/index.ts';
import type { Strategy } from '../../kind/strategy.ts';
import { defineStrategy, keepMember } from '../define-strategy.ts';

const finalizer = 'kubernetes';

/** The `finalize` subresource: takes the finalizers of the spec and leaves the status. */
const finalize: Strategy<Namespace> = {
  prepareForUpdate: (object, old) => keepMember(object, old, 'status'),
  validateUpdate: ({ spec }) => validateFinalizers(spec?.finalizers),
};

/** Sources: `SetDefaults_Namespace`, `pkg/registry/core/namespace/strategy.go` and `storage/storage.go`. */
export const namespaceStrategy = defineStrategy<Namespace>({
  default({ metadata, status }) {
    if (metadata.name) metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
    if (status !== undefined) status.phase ||= 'Active';
  },
  prepareForCreate(object) {
    object.status = { phase: 'Active' };
    object.spec ??= {};
    const finalizers = object.spec.finalizers ?? [];
    if (!finalizers.includes(finalizer)) object.spec.finalizers = [...finalizers, finalizer];
    // A generated name is not known before now.
    object.metadata.labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': object.metadata.name };
  },
  prepareForUpdate(object, old) {
    object.spec ??= {};
    keepMember(object.spec, old.spec ?? {}, 'finalizers');
  },
  validate: ({ spec }) => validateFinalizers(spec?.finalizers),
  validateUpdate: ({ spec }) => validateFinalizers(spec?.finalizers),
  generation: 'never',
  validateName: nameRule(dns1123LabelErrors),
  selectableFields: ({ metadata, status }) => ({ name: metadata.name, 'status.phase': status?.phase ?? '' }),
  selectableFieldNames: ['name', 'status.phase'],
  subresources: { finalize, status: { validateUpdate: validatePhase } },
});

/** A finalizer is `kubernetes`, or has its owner's domain in front. */
function validateFinalizers(finalizers: readonly string[] | undefined): readonly FieldError[] {
  return (finalizers ?? []).flatMap((name) => {
    const errors = invalidBy(labelKeyErrors, 'spec.finalizers', name);
    if (!name.includes('/') && name !== finalizer) {
      errors.push(
        invalid('spec.finalizers', name, 'name is neither a standard finalizer name nor is it fully qualified'),
      );
    }
    return errors;
  });
}

/** Source: `ValidateNamespaceStatusUpdate`. */
function validatePhase({ metadata, status }: Namespace): readonly FieldError[] {
  const phase = status?.phase ?? '';
  if (metadata.deletionTimestamp === undefined) {
    const detail = "may only be 'Active' if `deletionTimestamp` is empty";
    return phase === 'Active' ? [] : [invalid('status.Phase', phase, detail)];
  }
  const detail = "may only be 'Terminating' if `deletionTimestamp` is not empty";
  return phase === 'Terminating' ? [] : [invalid('status.Phase', phase, detail)];
}
