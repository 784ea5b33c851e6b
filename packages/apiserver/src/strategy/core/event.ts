import type { CoreEvent, Event } from '@evenkeel/kinds';
import { defineStrategy } from '../define-strategy.ts';
import { writeNulls } from '../written-nulls.ts';
import { validateEvent, validateEventOfEventsGroup } from './event-validation.ts';

const referenceParts = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

/** Sources: `pkg/registry/core/event/strategy.go`. */
export const eventStrategy = defineStrategy<CoreEvent>({
  default(object) {
    writeNulls(object, 'eventTime', 'firstTimestamp', 'lastTimestamp');
    object.reportingComponent ??= '';
    object.reportingInstance ??= '';
  },
  validate: validateEvent,
  metadataLast: true,
  validateUpdate: validateEvent,
  generation: 'never',
  allowCreateOnUpdate: true,
  garbageCollection: 'Unsupported',
  selectableFields: ({ involvedObject, source, reportingComponent, reason, type }) => ({
    ...referenceFields('involvedObject', involvedObject),
    reason: reason ?? '',
    reportingComponent: reportingComponent ?? '',
    source: source?.component || reportingComponent || '',
    type: type ?? '',
  }),
  selectableFieldNames: [...referenceNames('involvedObject'), 'reason', 'reportingComponent', 'source', 'type'],
});

/** The same events by the names that `events.k8s.io` has for them. */
export const eventOfEventsGroupStrategy = defineStrategy<Event>({
  default(object) {
    writeNulls(object, 'deprecatedFirstTimestamp', 'deprecatedLastTimestamp');
  },
  validate: validateEventOfEventsGroup,
  validateUpdate: validateEventOfEventsGroup,
  generation: 'never',
  allowCreateOnUpdate: true,
  garbageCollection: 'Unsupported',
  selectableFields: ({ regarding, reportingController, reason, type }) => ({
    ...referenceFields('regarding', regarding),
    reason: reason ?? '',
    reportingController: reportingController ?? '',
    type: type ?? '',
  }),
  selectableFieldNames: [...referenceNames('regarding'), 'reason', 'reportingController', 'type'],
});

function referenceNames(field: string): string[] {
  return referenceParts.map((part) => `${field}.${part}`);
}

function referenceFields(
  field: string,
  about: Partial<Record<(typeof referenceParts)[number], string>> | undefined,
): Record<string, string> {
  return Object.fromEntries(referenceParts.map((part) => [`${field}.${part}`, about?.[part] ?? '']));
}
