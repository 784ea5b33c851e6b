import type { CoreEvent, Event } from '@evenkeel/kinds';
import { defineStrategy } from './define-strategy.ts';
import { validateEvent, validateEventOfEventsGroup } from './event-validation.ts';
import { writeNulls } from './written-nulls.ts';

/** Sources: `pkg/registry/core/event/strategy.go`. */
export const eventStrategy = defineStrategy<CoreEvent>({
  default(object) {
    writeNulls(object, 'eventTime', 'firstTimestamp', 'lastTimestamp');
    object.reportingComponent ??= '';
    object.reportingInstance ??= '';
  },
  validate: validateEvent,
  validateUpdate: validateEvent,
  generation: 'never',
  allowCreateOnUpdate: true,
  garbageCollection: 'Unsupported',
  selectableFields: ({ involvedObject: about, source, reportingComponent, reason, type }) => ({
    'involvedObject.kind': about?.kind ?? '',
    'involvedObject.namespace': about?.namespace ?? '',
    'involvedObject.name': about?.name ?? '',
    'involvedObject.uid': about?.uid ?? '',
    'involvedObject.apiVersion': about?.apiVersion ?? '',
    'involvedObject.resourceVersion': about?.resourceVersion ?? '',
    'involvedObject.fieldPath': about?.fieldPath ?? '',
    reason: reason ?? '',
    reportingComponent: reportingComponent ?? '',
    source: source?.component || reportingComponent || '',
    type: type ?? '',
  }),
  selectableFieldNames: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
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
});
