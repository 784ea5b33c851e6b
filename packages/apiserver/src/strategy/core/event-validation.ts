import type { CoreEvent, Event } from '@evenkeel/kinds';
import { type FieldError, invalid, invalidBy, labelKeyErrors, required } from '../../apimachinery/index.ts';

const longest = { instance: 128, action: 128, reason: 128, note: 1024 };

/** Source: `legacyValidateEvent`, `pkg/apis/core/validation/events.go`: the rules of the core group. */
export function validateEvent(object: CoreEvent): readonly FieldError[] {
  const errors: FieldError[] = [];
  const namespace = object.metadata.namespace ?? '';
  const about = object.involvedObject?.namespace ?? '';
  const path = 'involvedObject.namespace';
  const mismatch = (): FieldError => invalid(path, about, 'does not match event.namespace');
  if (!object.eventTime) {
    if (about === '' ? namespace !== '' && namespace !== 'default' : namespace !== about) errors.push(mismatch());
    return errors;
  }
  if (about === '' && namespace !== 'default' && namespace !== 'kube-system') errors.push(mismatch());
  const reporter = object.reportingComponent ?? '';
  if (reporter === '') errors.push(required('reportingComponent'));
  errors.push(...invalidBy(labelKeyErrors, 'reportingComponent', reporter));
  errors.push(...validateText(object.reportingInstance, 'reportingInstance', longest.instance));
  errors.push(...validateText(object.action, 'action', longest.action));
  errors.push(...validateText(object.reason, 'reason', longest.reason));
  if ((object.message ?? '').length > longest.note) {
    errors.push(invalid('message', '', `can have at most ${longest.note} characters`));
  }
  return errors;
}

/** Source: `ValidateEventCreate`: the rules of `events.k8s.io`, whose fields go by the names of the core group. */
export function validateEventOfEventsGroup(object: Event): readonly FieldError[] {
  const { series, type = '' } = object;
  const errors = [
    ...validateEvent({
      ...object,
      involvedObject: object.regarding ?? {},
      message: object.note,
      reportingComponent: object.reportingController,
    } as unknown as CoreEvent),
  ].map((error) => (error.field === 'reportingComponent' ? { ...error, field: 'reportingController' } : error));
  if (series !== undefined) {
    if ((series.count ?? 0) < 2) errors.push(invalid('series.count', '', 'should be at least 2'));
    if (!series.lastObservedTime) errors.push(required('series.lastObservedTime'));
  }
  if (!object.eventTime) errors.push(required('eventTime'));
  if (type !== 'Normal' && type !== 'Warning') errors.push(invalid('type', '', `has invalid value: ${type}`));
  const unset = (present: unknown, field: string): void => {
    if (present) errors.push(invalid(field, '', 'needs to be unset'));
  };
  unset(object.deprecatedFirstTimestamp, 'firstTimestamp');
  unset(object.deprecatedLastTimestamp, 'lastTimestamp');
  unset(object.deprecatedCount, 'count');
  unset(object.deprecatedSource?.component || object.deprecatedSource?.host, 'source');
  return errors;
}

function validateText(text: string | undefined, path: string, most: number): FieldError[] {
  if (!text) return [required(path)];
  return text.length > most ? [invalid(path, '', `can have at most ${most} characters`)] : [];
}
