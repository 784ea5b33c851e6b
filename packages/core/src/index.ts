// For operators.

export { Clock, SystemClock, type Timer } from './clock.ts';
export { Condition, type ConditionStatus, findCondition, withCondition } from './condition.ts';
export { Controller, type ControllerOptions } from './decorators/controller.ts';
export { CustomResource, type CustomResourceOptions } from './decorators/custom-resource.ts';
export { Index } from './decorators/index-by.ts';
export { ListerOf } from './decorators/lister-of.ts';
export { Owns } from './decorators/owns.ts';
export { PrinterColumn } from './decorators/printer-column.ts';
export { Conditions, Spec, Status } from './decorators/property.ts';
export { Reconcile, type ReconcileOptions } from './decorators/reconcile.ts';
export { Scale } from './decorators/scale.ts';
export { SelectableField } from './decorators/selectable-field.ts';
export { Watches, type WatchesOptions } from './decorators/watches.ts';
export { type Duration, durationMs } from './duration.ts';
export { type ErrorCode, errorCodes } from './errors/error-codes.ts';
export { EvenkeelError } from './errors/evenkeel-error.ts';
export { formatGroupVersionKind, type GroupVersionKind, groupVersionKindOf } from './group-version-kind.ts';
export {
  KubernetesObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
} from './kubernetes-object.ts';
export { Logger, type LogKeys, SilentLogger } from './logger.ts';
export { ManualClock } from './manual-clock.ts';
export { Metadata } from './metadata.ts';
export { ObjectKey } from './object-key.ts';
export type { ObjectValidator, ValidationFinding } from './object-validator.ts';
export { Random, SeededRandom, SystemRandom } from './random.ts';
export {
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isGone,
  isInvalid,
  isNotFound,
  isTooManyRequests,
  isUnauthorized,
  StatusError,
} from './status-error.ts';

// For the packages that read declarations and carry requests, and for authors of libraries.

export {
  type ApiResource,
  apiResource,
  apiVersionOf,
  groupResourceOf,
  type KindClass,
  parseApiVersion,
} from './api-resource.ts';
export type { ApiStatus, StatusCause } from './api-status.ts';
export { rfc3339 } from './condition.ts';
export {
  type ConcreteClass,
  type ControllerMistake,
  type ControllerPlan,
  type ControllerPlans,
  controllerMistakeText,
  type PlannedKind,
  type PlannedWatch,
  planControllers,
} from './controller-plan.ts';
export {
  type AnyClass,
  type ClassDeclarations,
  declarationsOf,
  type KindReference,
  ownDeclarationsOf,
  recordOf,
  type WatchedReference,
} from './decorators/class-declarations.ts';
export type { ControllerDeclaration } from './decorators/controller.ts';
export type { CustomResourceDeclaration } from './decorators/custom-resource.ts';
export type { IndexDeclaration } from './decorators/index-by.ts';
export type { ListerDeclaration } from './decorators/lister-of.ts';
export type { OwnsDeclaration } from './decorators/owns.ts';
export type { PrinterColumnDeclaration } from './decorators/printer-column.ts';
export type { ClassThunk, PropertyDeclaration } from './decorators/property.ts';
export type { ReconcileDeclaration } from './decorators/reconcile.ts';
export { resolveKind, resolveWatched } from './decorators/resolve-reference.ts';
export { pluralOf, resourceOf } from './decorators/resource-of.ts';
export type { ScaleDeclaration } from './decorators/scale.ts';
export type { WatchesDeclaration } from './decorators/watches.ts';
export { didYouMean } from './errors/did-you-mean.ts';
export {
  formatLabelSelector,
  type LabelRequirement,
  type LabelRequirements,
  LabelSelectorError,
  type LabelSelectorSpec,
  labelRequirementsOf,
  matchesLabels,
  parseLabelSelector,
} from './label-selector.ts';
export { isMetadataClass, type MetadataClass } from './metadata.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport.ts';
export { compareVersions } from './version-priority.ts';
