import type {
  CSIDriver,
  CSINode,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from '@evenkeel/kinds';
import { ageOf } from './cell.ts';
import { ageColumn, column, definePrinter, nameColumn, wideColumn } from './define-printer.ts';

/* Kinds of storage. Source: `pkg/printers/internalversion/printers.go`. */

const unset = '<unset>';
const betaClass = 'volume.beta.kubernetes.io/storage-class';

export const persistentVolumePrinter = definePrinter<PersistentVolume>({
  columns: [
    nameColumn,
    column('Capacity'),
    column('Access Modes'),
    column('Reclaim Policy'),
    column('Status'),
    column('Claim'),
    column('StorageClass'),
    column('VolumeAttributesClass'),
    column('Reason'),
    ageColumn,
    wideColumn('VolumeMode'),
  ],
  cells(object, now) {
    const { metadata, spec, status } = object;
    const claim = spec?.claimRef;
    return [
      metadata.name,
      String(spec?.capacity?.['storage'] ?? '0'),
      accessModes(spec?.accessModes),
      spec?.persistentVolumeReclaimPolicy ?? '',
      metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
      claim === undefined ? '' : `${claim.namespace ?? ''}/${claim.name ?? ''}`,
      metadata.annotations?.[betaClass] ?? spec?.storageClassName ?? '',
      spec?.volumeAttributesClassName ?? unset,
      status?.reason ?? '',
      ageOf(object, now),
      spec?.volumeMode ?? unset,
    ];
  },
});

export const persistentVolumeClaimPrinter = definePrinter<PersistentVolumeClaim>({
  columns: [
    nameColumn,
    column('Status'),
    column('Volume'),
    column('Capacity'),
    column('Access Modes'),
    column('StorageClass'),
    column('VolumeAttributesClass'),
    ageColumn,
    wideColumn('VolumeMode'),
  ],
  cells(object, now) {
    const { metadata, spec, status } = object;
    const bound = Boolean(spec?.volumeName);
    return [
      metadata.name,
      metadata.deletionTimestamp === undefined ? (status?.phase ?? '') : 'Terminating',
      spec?.volumeName ?? '',
      bound ? String(status?.capacity?.['storage'] ?? '0') : '',
      bound ? accessModes(status?.accessModes) : '',
      metadata.annotations?.[betaClass] ?? spec?.storageClassName ?? '',
      spec?.volumeAttributesClassName ?? unset,
      ageOf(object, now),
      spec?.volumeMode ?? unset,
    ];
  },
});

export const storageClassPrinter = definePrinter<StorageClass>({
  columns: [
    nameColumn,
    column('Provisioner'),
    column('ReclaimPolicy'),
    column('VolumeBindingMode'),
    column('AllowVolumeExpansion'),
    ageColumn,
  ],
  cells(object, now) {
    const { metadata } = object;
    const isDefault = [
      'storageclass.kubernetes.io/is-default-class',
      'storageclass.beta.kubernetes.io/is-default-class',
    ];
    const marked = isDefault.some((annotation) => metadata.annotations?.[annotation] === 'true');
    return [
      marked ? `${metadata.name} (default)` : metadata.name,
      object.provisioner,
      object.reclaimPolicy ?? 'Delete',
      object.volumeBindingMode ?? 'Immediate',
      object.allowVolumeExpansion ?? false,
      ageOf(object, now),
    ];
  },
});

export const volumeAttributesClassPrinter = definePrinter<VolumeAttributesClass>({
  columns: [nameColumn, column('DriverName'), ageColumn],
  cells: (object, now) => [object.metadata.name, object.driverName, ageOf(object, now)],
});

export const volumeAttachmentPrinter = definePrinter<VolumeAttachment>({
  columns: [
    nameColumn,
    { ...column('Attacher'), format: 'name' },
    column('PV'),
    column('Node'),
    column('Attached', 'boolean'),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name,
    object.spec?.attacher ?? '',
    object.spec?.source?.persistentVolumeName ?? '',
    object.spec?.nodeName ?? '',
    object.status?.attached ?? false,
    ageOf(object, now),
  ],
});

export const csiDriverPrinter = definePrinter<CSIDriver>({
  columns: [
    nameColumn,
    column('AttachRequired', 'boolean'),
    column('PodInfoOnMount', 'boolean'),
    column('StorageCapacity', 'boolean'),
    column('TokenRequests'),
    column('RequiresRepublish', 'boolean'),
    column('Modes'),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name,
    object.spec?.attachRequired ?? true,
    object.spec?.podInfoOnMount ?? false,
    object.spec?.storageCapacity ?? false,
    object.spec?.tokenRequests?.map(({ audience }) => audience).join(',') ?? unset,
    object.spec?.requiresRepublish ?? false,
    (object.spec?.volumeLifecycleModes ?? []).join(',') || '<none>',
    ageOf(object, now),
  ],
});

export const csiNodePrinter = definePrinter<CSINode>({
  columns: [nameColumn, column('Drivers', 'integer'), ageColumn],
  cells: (object, now) => [object.metadata.name, (object.spec?.drivers ?? []).length, ageOf(object, now)],
});

const shortModes = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

function accessModes(modes: readonly string[] | undefined): string {
  return shortModes
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}
