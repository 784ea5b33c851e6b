import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from '@evenkeel/kinds/storage/v1';
import { type FieldError, GoStruct, invalid, jsonEqual } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';
import { deprecatedNodeLabel } from '../deprecated-node-label.ts';
import { writeNulls } from '../written-nulls.ts';
import {
  validateAttributesClass,
  validateAttributesClassUpdate,
  validateCsiDriver,
  validateCsiDriverUpdate,
  validateCsiNode,
  validateCsiNodeUpdate,
  validateStorageCapacity,
  validateStorageCapacityUpdate,
  validateStorageClass,
  validateStorageClassUpdate,
  validateVolumeAttachment,
} from './storage-validation.ts';

/** Sources: `pkg/apis/storage/v1/defaults.go`, `pkg/registry/storage/storageclass/strategy.go`. */
export const storageClassStrategy = defineStrategy<StorageClass>({
  default(object) {
    object.reclaimPolicy ??= 'Delete';
    object.volumeBindingMode ??= 'Immediate';
  },
  validate: validateStorageClass,
  validateUpdate: (object, old) => [...validateStorageClass(object), ...validateStorageClassUpdate(object, old)],
  warnings: ({ allowedTopologies }) =>
    (allowedTopologies ?? []).flatMap(({ matchLabelExpressions }, index) =>
      (matchLabelExpressions ?? []).flatMap(({ key = '' }, position) => {
        const message = deprecatedNodeLabel(key);
        if (message === undefined) return [];
        return [`allowedTopologies[${index}].matchLabelExpressions[${position}].key: ${message}`];
      }),
    ),
  generation: 'never',
});

/** Sources: `pkg/apis/storage/v1/defaults.go`, `pkg/registry/storage/csidriver/strategy.go`. */
export const csiDriverStrategy = defineStrategy<CSIDriver>({
  default({ spec }) {
    if (spec === undefined) return;
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
    if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent'];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
  },
  prepareForCreate({ metadata }) {
    // The first change makes it 1.
    delete metadata.generation;
  },
  validate: validateCsiDriver,
  validateUpdate: validateCsiDriverUpdate,
  warnings: ({ spec }, old) =>
    (spec?.tokenRequests ?? []).length > 0 &&
    spec?.serviceAccountTokenInSecrets === undefined &&
    !jsonEqual(spec?.tokenRequests, old?.spec?.tokenRequests)
      ? [
          'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes',
        ]
      : [],
  generation: (object, old) => !jsonEqual(object.spec, old.spec),
  allowUnconditionalUpdate: false,
});

/** Source: `pkg/registry/storage/csinode/strategy.go`. */
export const csiNodeStrategy = defineStrategy<CSINode>({
  default({ spec }) {
    writeNulls(spec?.drivers ?? [], 'topologyKeys');
  },
  validate: validateCsiNode,
  validateUpdate: validateCsiNodeUpdate,
  generation: 'never',
  allowUnconditionalUpdate: false,
});

/** Source: `pkg/registry/storage/csistoragecapacity/strategy.go`. */
export const csiStorageCapacityStrategy = defineStrategy<CSIStorageCapacity>({
  validate: validateStorageCapacity,
  validateUpdate: validateStorageCapacityUpdate,
  generation: 'never',
  allowUnconditionalUpdate: false,
});

const classProtection = 'kubernetes.io/vac-protection';

/** Sources: `pkg/registry/storage/volumeattributesclass/strategy.go`, the admission plugin StorageObjectInUseProtection. */
export const volumeAttributesClassStrategy = defineStrategy<VolumeAttributesClass>({
  prepareForCreate({ metadata }) {
    const finalizers = metadata.finalizers ?? [];
    if (!finalizers.includes(classProtection)) metadata.finalizers = [...finalizers, classProtection];
  },
  validate: validateAttributesClass,
  validateUpdate: validateAttributesClassUpdate,
  generation: 'never',
});

/** Source: `pkg/registry/storage/volumeattachment/strategy.go`. */
export const volumeAttachmentStrategy = defineStrategy<VolumeAttachment>({
  default({ status }) {
    writeNulls(status?.attachError, 'time');
    writeNulls(status?.detachError, 'time');
  },
  validate: validateVolumeAttachment,
  validateUpdate: (object, old) => [...validateVolumeAttachment(object), ...specErrors(object, old)],
  generation: 'never',
  allowUnconditionalUpdate: false,
  subresources: {
    status: {
      resetsMetadata: true,
      validateUpdate: (object, old) => [...validateVolumeAttachment(object), ...specErrors(object, old)],
    },
  },
});

function specErrors({ spec }: VolumeAttachment, old: VolumeAttachment): FieldError[] {
  if (jsonEqual(spec, old.spec)) return [];
  const { attacher = '', nodeName = '', source = {} } = spec ?? {};
  // The value is printed like Go's internal type.
  const shown = new GoStruct({
    Attacher: attacher,
    Source: new GoStruct({
      PersistentVolumeName: source.persistentVolumeName ?? null,
      InlineVolumeSpec: source.inlineVolumeSpec ?? null,
    }),
    NodeName: nodeName,
  });
  return [invalid('spec', shown, 'field is immutable')];
}
