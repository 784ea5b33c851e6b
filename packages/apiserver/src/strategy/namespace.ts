import type { Namespace } from '@evenkeel/kinds';
import type { Strategy } from '../kind/strategy.ts';
import { defineStrategy, keepMember } from './define-strategy.ts';
import { dns1123LabelErrors, nameRule } from './names.ts';

const finalizer = 'kubernetes';

/** The `finalize` subresource: takes the finalizers of the spec and leaves the status. */
const finalize: Strategy<Namespace> = {
  prepareForUpdate: (object, old) => keepMember(object, old, 'status'),
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
  generation: 'never',
  validateName: nameRule(dns1123LabelErrors),
  selectableFields: ({ metadata, status }) => ({ name: metadata.name, 'status.phase': status?.phase ?? '' }),
  selectableFieldNames: ['name', 'status.phase'],
  subresources: { finalize: finalize as Strategy<Namespace> },
});
