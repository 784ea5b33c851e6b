import type { CSIDriver, StorageClass } from '@evenkeel/kinds';
import { jsonEqual } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';

/** Sources: `pkg/apis/storage/v1/defaults.go`, `pkg/registry/storage/storageclass/strategy.go`. */
export const storageClassStrategy = defineStrategy<StorageClass>({
  default(object) {
    object.reclaimPolicy ??= 'Delete';
    object.volumeBindingMode ??= 'Immediate';
  },
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
  generation: (object, old) => !jsonEqual(object.spec, old.spec),
  allowUnconditionalUpdate: false,
});
