import type { CoreEvent } from '@evenkeel/kinds';
import { defineStrategy } from './define-strategy.ts';

/** Sources: `pkg/registry/core/event/strategy.go`. */
export const eventStrategy = defineStrategy<CoreEvent>({
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
