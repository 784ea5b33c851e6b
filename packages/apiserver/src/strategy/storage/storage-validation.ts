import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  StorageClass,
  VolumeAttachment,
  VolumeAttributesClass,
} from '@evenkeel/kinds/storage/v1';
import {
  canonicalQuantity,
  dns1123SubdomainErrors,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  jsonEqual,
  labelKeyErrors,
  notSupported,
  quantityNanos,
  rangeMessage,
  required,
  tooLong,
  validateLabelSelector,
} from '../../apimachinery/index.ts';
import { validateImmutable, validateNonNegative } from '../number-validation.ts';
import { validateInlineVolume } from '../pod/persistent-volume-validation.ts';
import { validateCsiDriverName } from '../pod/storage-source-validation.ts';

// The functions have the rules of `pkg/apis/storage/validation/validation.go`.

const parametersMax = 512;
const parametersSizeMax = 2 ** 18;
const nodeIdMax = 256;
const messageSizeMax = 1024;
const largestInt32 = 2 ** 31 - 1;

export function validateStorageClass(object: StorageClass): readonly FieldError[] {
  const { reclaimPolicy, volumeBindingMode } = object;
  return [
    ...validateProvisioner(object.provisioner ?? '', 'provisioner'),
    ...validateParameters(object.parameters, true),
    ...(reclaimPolicy && !['Delete', 'Retain'].includes(reclaimPolicy)
      ? [notSupported('reclaimPolicy', reclaimPolicy, ['Delete', 'Retain'])]
      : []),
    ...(volumeBindingMode !== undefined && !['Immediate', 'WaitForFirstConsumer'].includes(volumeBindingMode)
      ? [notSupported('volumeBindingMode', volumeBindingMode, ['Immediate', 'WaitForFirstConsumer'])]
      : []),
    ...validateTopologies(object.allowedTopologies),
  ];
}

export function validateStorageClassUpdate(object: StorageClass, old: StorageClass): readonly FieldError[] {
  const fixed = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const;
  return fixed.flatMap((field) => validateImmutable(object[field], old[field], field));
}

/** A name of a provisioner is a qualified one in any case. */
function validateProvisioner(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  return labelKeyErrors(name.toLowerCase()).map((detail) => invalid(path, name.toLowerCase(), detail));
}

function validateParameters(parameters: Readonly<Record<string, string>> = {}, mayBeEmpty: boolean): FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > parametersMax) return [tooLong('parameters', parametersMax)];
  const errors: FieldError[] = [];
  if (Object.hasOwn(parameters, '')) errors.push(invalid('parameters', '', 'field can not be empty.'));
  if (sizeOf(entries) > parametersSizeMax) errors.push(tooLong('parameters', parametersSizeMax));
  if (entries.length === 0 && !mayBeEmpty) {
    errors.push(required('parameters', 'must contain at least one key/value pair'));
  }
  return errors;
}

function sizeOf(entries: readonly (readonly [string, string])[]): number {
  return entries.flat().reduce((size, text) => size + Buffer.byteLength(text), 0);
}

function validateTopologies(topologies: StorageClass['allowedTopologies'] = []): FieldError[] {
  const errors: FieldError[] = [];
  const known: object[] = [];
  for (const [index, { matchLabelExpressions = [] }] of topologies.entries()) {
    const path = `allowedTopologies[${index}].matchLabelExpressions`;
    const sets: Record<string, readonly string[]> = {};
    for (const [position, { key = '', values: given }] of matchLabelExpressions.entries()) {
      const values = given ?? [];
      const at = `${path}[${position}]`;
      if (values.length === 0) errors.push(required(`${at}.values`));
      for (const [place, value] of values.entries()) {
        if (values.indexOf(value) < place) errors.push(duplicate(`${at}.values[${place}]`, value));
      }
      errors.push(...invalidBy(labelKeyErrors, `${at}.key`, key));
      if (Object.hasOwn(sets, key)) errors.push(duplicate(`${at}.key`, key));
      sets[key] = [...new Set(values)].sort();
    }
    if (matchLabelExpressions.length === 0 || known.some((other) => jsonEqual(other, sets)))
      errors.push(duplicate(path, ''));
    known.push(sets);
  }
  return errors;
}

const fsGroupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycleModes = ['Persistent', 'Ephemeral'];
const updatePeriodMin = 10;

export function validateCsiDriver({ spec = {} }: CSIDriver): FieldError[] {
  const { fsGroupPolicy, volumeLifecycleModes = [], nodeAllocatableUpdatePeriodSeconds: period } = spec;
  const errors: FieldError[] = [];
  if (fsGroupPolicy !== undefined && !fsGroupPolicies.includes(fsGroupPolicy)) {
    errors.push(notSupported('spec.fsGroupPolicy', fsGroupPolicy, fsGroupPolicies));
  }
  errors.push(...validateTokenRequests(spec.tokenRequests));
  for (const mode of volumeLifecycleModes) {
    if (!lifecycleModes.includes(mode)) errors.push(notSupported('spec.volumeLifecycleModes', mode, lifecycleModes));
  }
  if (period !== undefined && period < updatePeriodMin) {
    const detail = 'must be greater than or equal to 10 seconds';
    errors.push(invalid('spec.nodeAllocatableUpdatePeriodSeconds', period, detail));
  }
  if (spec.serviceAccountTokenInSecrets !== undefined && (spec.tokenRequests ?? []).length === 0) {
    const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified';
    errors.push(invalid('spec.serviceAccountTokenInSecrets', spec.serviceAccountTokenInSecrets, detail));
  }
  return errors;
}

export function validateCsiDriverUpdate(object: CSIDriver, old: CSIDriver): readonly FieldError[] {
  return [
    ...validateCsiDriver(object),
    ...validateImmutable(object.spec?.attachRequired, old.spec?.attachRequired, 'spec.attachedRequired'),
    ...validateImmutable(
      object.spec?.volumeLifecycleModes,
      old.spec?.volumeLifecycleModes,
      'spec.volumeLifecycleModes',
    ),
  ];
}

const tokenSecondsMin = 600;

function validateTokenRequests(requests: NonNullable<CSIDriver['spec']>['tokenRequests'] = []): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap(({ audience = '', expirationSeconds: seconds }, index) => {
    const path = `spec.tokenRequests[${index}]`;
    if (audiences.has(audience)) return [duplicate(`${path}.audience`, audience)];
    audiences.add(audience);
    if (seconds === undefined) return [];
    const at = `${path}.expirationSeconds`;
    if (seconds < tokenSecondsMin) {
      return [invalid(at, seconds, 'may not specify a duration less than 10 minutes')];
    }
    return seconds > 2 ** 32 ? [invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds')] : [];
  });
}

export function validateCsiNode({ spec }: CSINode): FieldError[] {
  const names = new Set<string>();
  return (spec?.drivers ?? []).flatMap(({ name = '', nodeID = '', allocatable, topologyKeys = [] }, index) => {
    const path = `spec.drivers[${index}]`;
    const errors = validateCsiDriverName(name, `${path}.name`);
    if (nodeID === '') errors.push(required(`${path}.nodeID`));
    if (nodeID.length > nodeIdMax) {
      errors.push(invalid(`${path}.nodeID`, nodeID, `must be ${nodeIdMax} characters or less`));
    }
    errors.push(...validateNonNegative(allocatable?.count, `${path}.allocatable.count`));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    for (const [place, key] of (topologyKeys ?? []).entries()) {
      if (key === '') errors.push(required(path));
      if (topologyKeys.indexOf(key) < place) errors.push(duplicate(path, key));
      errors.push(...invalidBy(labelKeyErrors, path, key));
    }
    return errors;
  });
}

export function validateCsiNodeUpdate(object: CSINode, old: CSINode): readonly FieldError[] {
  const errors = validateCsiNode(object);
  for (const { allocatable: _, ...before } of old.spec?.drivers ?? []) {
    for (const { allocatable: __, ...driver } of object.spec?.drivers ?? []) {
      if (driver.name !== before.name || jsonEqual(driver, before)) continue;
      // Upstream shows the internal struct, which has no omitted members.
      const shown = { Name: driver.name, NodeID: driver.nodeID, TopologyKeys: driver.topologyKeys ?? null };
      errors.push(invalid('spec.drivers', { ...shown, Allocatable: null }, 'field is immutable'));
    }
  }
  return errors;
}

export function validateStorageCapacity(object: CSIStorageCapacity): FieldError[] {
  const { capacity, storageClassName = '' } = object;
  return [
    ...validateLabelSelector(object.nodeTopology, 'nodeTopology'),
    ...invalidBy(dns1123SubdomainErrors, 'storageClassName', storageClassName),
    ...(capacity !== undefined && quantityNanos(capacity) < 0n
      ? [invalid('capacity', canonicalQuantity(capacity), 'must be greater than or equal to 0')]
      : []),
  ];
}

export function validateStorageCapacityUpdate(
  object: CSIStorageCapacity,
  old: CSIStorageCapacity,
): readonly FieldError[] {
  return [
    ...validateStorageCapacity(object),
    ...validateImmutable(object.nodeTopology, old.nodeTopology, 'nodeTopology'),
    ...validateImmutable(object.storageClassName ?? '', old.storageClassName ?? '', 'storageClassName'),
  ];
}

export function validateAttributesClass(object: VolumeAttributesClass): FieldError[] {
  return [
    ...validateProvisioner(object.driverName ?? '', 'driverName'),
    ...validateParameters(object.parameters, false),
  ];
}

export function validateAttributesClassUpdate(
  object: VolumeAttributesClass,
  old: VolumeAttributesClass,
): readonly FieldError[] {
  const fixed = (['driverName', 'parameters'] as const).filter((field) => !jsonEqual(object[field], old[field]));
  return [
    ...fixed.map((field) => forbidden(field, `updates to ${field} are forbidden.`)),
    ...validateAttributesClass(object),
  ];
}

export function validateVolumeAttachment({ spec, status }: VolumeAttachment): FieldError[] {
  const { attacher = '', nodeName = '', source = {} } = spec ?? {};
  const { inlineVolumeSpec: inline, persistentVolumeName: name } = source;
  const errors = validateCsiDriverName(attacher, 'spec.attacher');
  const path = 'spec.source';
  const oneOf = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline === undefined && name === undefined) errors.push(required(path, oneOf));
  else if (inline !== undefined && name !== undefined) errors.push(forbidden(path, oneOf));
  else if (name === '') {
    errors.push(required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName'));
  } else if (inline !== undefined) errors.push(...validateInlineVolume(inline, `${path}.inlineVolumeSpec`));
  errors.push(...invalidBy(dns1123SubdomainErrors, 'spec.nodeName', nodeName));
  if (sizeOf(Object.entries(status?.attachmentMetadata ?? {})) > parametersSizeMax) {
    errors.push(tooLong('status.attachmentMetadata', parametersSizeMax));
  }
  for (const field of ['attachError', 'detachError'] as const) {
    const { message = '', errorCode } = status?.[field] ?? {};
    const at = `status.${field}`;
    // The message names the limit of the metadata.
    if (Buffer.byteLength(message) > messageSizeMax) errors.push(tooLong(`${at}.message`, parametersSizeMax));
    if (errorCode !== undefined && errorCode < 0) {
      errors.push(invalid(`${at}.errorCode`, errorCode, rangeMessage(0, largestInt32)));
    }
  }
  if (name !== undefined) errors.push(...invalidBy(dns1123SubdomainErrors, `${path}.persistentVolumeName`, name));
  return errors;
}
