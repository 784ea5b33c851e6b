import { type LabelRequirement, type LabelRequirements, LabelSelectorError, parseLabelSelector } from '@evenkeel/core';
import {
  aggregateMessage,
  compareText,
  type FieldError,
  forbidden,
  goIntegerError,
  invalid,
  labelKeyErrors,
  labelValueErrors,
  notSupported,
  required,
  validateFieldManager,
} from '../apimachinery/index.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { DeleteOptions } from '../kind/strategy.ts';
import { type FieldRequirement, parseFieldSelector } from '../request/field-selector.ts';
import { isTrue } from '../request/request-info.ts';
import { badRequest, invalidObject } from '../status/refusal.ts';

const metaGroup = 'meta.k8s.io';

/** `metav1.ListOptions` in the query. */
export interface ListOptions {
  readonly labels: LabelRequirements;
  readonly fields: readonly FieldRequirement[];
  readonly limit: number;
  readonly continue: string;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

export function listOptionsOf(query: URLSearchParams, kind: KindDescription, watches: boolean): ListOptions {
  const sendInitialEvents = query.get('sendInitialEvents');
  const resourceVersion = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  // A watch from the current state is one with initial events (`SetListOptionsDefaults`).
  const isLegacy = watches && sendInitialEvents === null && match === '' && ['', '0'].includes(resourceVersion);
  // Upstream reads selectors after all other parameters.
  const [timeoutSeconds, limit = 0] = ['timeoutSeconds', 'limit'].map((name) => integerOf(query.get(name)));
  const options: ListOptions = {
    labels: labelsOf(query.get('labelSelector') ?? ''),
    fields: parseFieldSelector(query.get('fieldSelector') ?? ''),
    limit,
    continue: query.get('continue') ?? '',
    resourceVersion,
    resourceVersionMatch: isLegacy ? 'NotOlderThan' : match,
    watch: watches,
    allowWatchBookmarks: isSet(query.get('allowWatchBookmarks')),
    sendInitialEvents: isLegacy || (sendInitialEvents === null ? undefined : isTrue(sendInitialEvents)),
    timeoutSeconds,
  };
  refuseOptions('ListOptions', listOptionErrors(options));
  checkFields(options.fields, kind);
  return options;
}

/** After apimachinery's `internalversion/validation`. */
function listOptionErrors(options: ListOptions): FieldError[] {
  const { watch, resourceVersionMatch: match, resourceVersion, sendInitialEvents } = options;
  const at = 'resourceVersionMatch';
  const errors: FieldError[] = [];
  if (watch && sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    errors.push(forbidden(at, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'));
  }
  if (match !== '') {
    if (watch && sendInitialEvents === undefined) {
      errors.push(forbidden(at, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'));
    }
    if (!watch && resourceVersion === '') {
      errors.push(forbidden(at, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    }
    const notContinued = options.continue === '' ? [] : [forbidden(at, `${at} is forbidden when continue is provided`)];
    const known = watch ? ['NotOlderThan'] : ['Exact', 'NotOlderThan'];
    const unknown = known.includes(match) ? [] : [notSupported(at, match, watch ? known : [...known, ''])];
    errors.push(...(watch ? [...unknown, ...notContinued] : [...notContinued, ...unknown]));
    if (!watch && match === 'Exact' && resourceVersion === '0') {
      errors.push(forbidden(at, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
    }
  }
  if (!watch && sendInitialEvents !== undefined) {
    errors.push(forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  }
  return errors;
}

function labelsOf(text: string): LabelRequirements {
  try {
    const requirements = parseLabelSelector(text);
    for (const requirement of requirements) checkRequirement(requirement);
    return requirements;
  } catch (error) {
    if (error instanceof LabelSelectorError) throw badRequest(error.message);
    throw error;
  }
}

/** Source: `NewRequirement`, apimachinery `pkg/labels/selector.go`. */
function checkRequirement({ key, operator, values }: LabelRequirement): void {
  const ofKey = labelKeyErrors(key).map((detail) => invalid('<nil>', key, detail));
  const isNumeric = operator === 'GreaterThan' || operator === 'LessThan';
  const ofValues = values
    .toSorted(compareText)
    .flatMap((value, index) => [
      ...(isNumeric && !/^[-+]?\d{1,19}$/.test(value)
        ? [invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")]
        : []),
      ...labelValueErrors(value).map((detail) => invalid(`values[${index}][${key}]`, value, detail)),
    ]);
  const errors = ofKey.length > 0 ? ofKey : ofValues;
  if (errors.length > 0) throw badRequest(`unable to parse requirement: ${aggregateMessage(errors)}`);
}

function checkFields(requirements: readonly FieldRequirement[], { strategy, names, custom }: KindDescription): void {
  const known = strategy.selectableFieldNames ?? [];
  for (const { field, value } of requirements) {
    // Upstream drops such a term.
    if (field === '' && value === '') continue;
    if (field === 'metadata.name' || field === 'metadata.namespace' || known.includes(field)) continue;
    if (custom || known.length === 0) {
      const message = custom
        ? `field label not supported: ${field}`
        : `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`;
      throw badRequest(message);
    }
    const isPlain = names.group === '' || names.group === 'events.k8s.io';
    throw badRequest(
      isPlain ? `field label not supported: ${field}` : `field label "${field}" not supported for ${names.kind}`,
    );
  }
}

/** The options in the query of a write. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  readonly force: boolean | undefined;
}

export function writeOptionsOf(
  query: URLSearchParams,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  applies = false,
): WriteOptions {
  const dryRun = query.getAll('dryRun');
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const force = query.get('force');
  const errors: FieldError[] = [];
  if (kind === 'PatchOptions') {
    if (applies && fieldManager === '') errors.push(required('fieldManager', 'is required for apply patch'));
    if (!applies && force !== null) errors.push(forbidden('force', 'may not be specified for non-apply patch'));
  }
  errors.push(...validateFieldManager(fieldManager, 'fieldManager'));
  errors.push(...dryRunErrors(dryRun));
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(fieldValidation)) {
    errors.push(notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  }
  refuseOptions(kind, errors);
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: (fieldValidation || 'Warn') as WriteOptions['fieldValidation'],
    force: force === null ? undefined : isTrue(force),
  };
}

/** The options of a deletion: those of the body if it has one, else those of the query. */
export function deleteOptionsOf(query: URLSearchParams, body: Record<string, unknown> | undefined): DeleteOptions {
  const options: DeleteOptions = {};
  if (body === undefined) {
    const grace = integerOf(query.get('gracePeriodSeconds'));
    if (grace !== undefined) options.gracePeriodSeconds = grace;
    const policy = query.get('propagationPolicy');
    if (policy !== null) options.propagationPolicy = policy as NonNullable<DeleteOptions['propagationPolicy']>;
    const orphan = query.get('orphanDependents');
    if (orphan !== null) options.orphanDependents = isTrue(orphan);
    if (query.has('dryRun')) options.dryRun = query.getAll('dryRun');
    // Of a collection, the resourceVersion is also that of the list: `Convert_url_Values_To_v1_DeleteOptions`.
    const [uid, resourceVersion] = ['uid', 'resourceVersion'].map((name) => query.get(name) ?? '');
    if (uid || resourceVersion) {
      options.preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    }
  } else Object.assign(options, deleteOptionsOfBody(body));
  const errors: FieldError[] = [];
  if (options.orphanDependents !== undefined && options.propagationPolicy !== undefined) {
    const detail = 'orphanDependents and deletionPropagation cannot be both set';
    errors.push(invalid('propagationPolicy', options.propagationPolicy, detail));
  }
  const policies = ['Foreground', 'Background', 'Orphan'];
  if (options.propagationPolicy !== undefined && !policies.includes(options.propagationPolicy)) {
    errors.push(notSupported('propagationPolicy', options.propagationPolicy, [...policies, 'nil']));
  }
  errors.push(...dryRunErrors(options.dryRun ?? []));
  refuseOptions('DeleteOptions', errors);
  return options;
}

function deleteOptionsOfBody(body: Record<string, unknown>): DeleteOptions {
  const options: DeleteOptions = {};
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, preconditions, dryRun } = body;
  if (typeof gracePeriodSeconds === 'number') options.gracePeriodSeconds = gracePeriodSeconds;
  if (typeof propagationPolicy === 'string') {
    options.propagationPolicy = propagationPolicy as NonNullable<DeleteOptions['propagationPolicy']>;
  }
  if (typeof orphanDependents === 'boolean') options.orphanDependents = orphanDependents;
  if (Array.isArray(dryRun)) options.dryRun = dryRun.map(String);
  if (typeof preconditions === 'object' && preconditions !== null) {
    const { uid, resourceVersion } = preconditions as Record<string, unknown>;
    options.preconditions = {
      ...(typeof uid === 'string' && { uid }),
      ...(typeof resourceVersion === 'string' && { resourceVersion }),
    };
  }
  return options;
}

function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', dryRun, ['All'])];
}

function refuseOptions(kind: string, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidObject({ group: metaGroup, kind }, '', errors);
}

/** An integer parameter; an invalid one is rejected with Go's message. */
function integerOf(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw badRequest(goIntegerError('ParseInt', text));
  return Number(text);
}

function isSet(text: string | null): boolean {
  return text !== null && isTrue(text);
}
