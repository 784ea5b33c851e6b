// For operators.

export { Clock, SystemClock, type Timer } from './clock.ts';
export { Condition, type ConditionStatus, findCondition, withCondition } from './condition.ts';
export { AtLeastOneOf } from './decorators/at-least-one-of.ts';
export { AtMostOneOf } from './decorators/at-most-one-of.ts';
export { Channel } from './decorators/channel.ts';
export { Conditions } from './decorators/conditions.ts';
export { Controller, type ControllerOptions } from './decorators/controller.ts';
export { CustomResource, type CustomResourceOptions } from './decorators/custom-resource.ts';
export { Default } from './decorators/default.ts';
export { EmbeddedResource, type EmbeddedResourceOptions } from './decorators/embedded-resource.ts';
export { Every } from './decorators/every.ts';
export { ExactlyOneOf } from './decorators/exactly-one-of.ts';
export { Example } from './decorators/example.ts';
export { ExclusiveMaximum } from './decorators/exclusive-maximum.ts';
export { ExclusiveMinimum } from './decorators/exclusive-minimum.ts';
export { ExternalDocs, type ExternalDocsOptions } from './decorators/external-docs.ts';
export { Finalizer, type FinalizerName, type FinalizerOptions } from './decorators/finalizer.ts';
export { Format, type SchemaFormat } from './decorators/format.ts';
export { Immutable } from './decorators/immutable.ts';
export { Index } from './decorators/index-by.ts';
export { IsDuration } from './decorators/is-duration.ts';
export { IsIntOrString } from './decorators/is-int-or-string.ts';
export { IsQuantity } from './decorators/is-quantity.ts';
export { type ElementDecorator, Items } from './decorators/items.ts';
export { ListType } from './decorators/list-type.ts';
export { ListerOf } from './decorators/lister-of.ts';
export { MapType } from './decorators/map-type.ts';
export { MaxProperties } from './decorators/max-properties.ts';
export { MinProperties } from './decorators/min-properties.ts';
export { MultipleOf } from './decorators/multiple-of.ts';
export { Nullable } from './decorators/nullable.ts';
export { Owns, type OwnsOptions } from './decorators/owns.ts';
export { PreserveUnknownFields } from './decorators/preserve-unknown-fields.ts';
export { PrinterColumn } from './decorators/printer-column.ts';
export {
  type PathVerb,
  Rbac,
  type RbacOptions,
  type RbacPath,
  type RbacResource,
  type ResourceVerb,
} from './decorators/rbac.ts';
export { Reconcile, type ReconcileOptions } from './decorators/reconcile.ts';
export { Recursive } from './decorators/recursive.ts';
export { Rule, type RuleOptions, type RuleReason } from './decorators/rule.ts';
export { Scale } from './decorators/scale.ts';
export { Schema, type SchemaKeywords } from './decorators/schema.ts';
export { Schemaless } from './decorators/schemaless.ts';
export { SelectableField } from './decorators/selectable-field.ts';
export { Spec } from './decorators/spec.ts';
export { Status } from './decorators/status.ts';
export { Title } from './decorators/title.ts';
export { Union } from './decorators/union.ts';
export { Values } from './decorators/values.ts';
export { Watches, type WatchesOptions } from './decorators/watches.ts';
export { type Duration, durationMs, isDurationMs } from './duration.ts';
export { type ErrorCode, errorCodes } from './errors/error-codes.ts';
export { EvenkeelError } from './errors/evenkeel-error.ts';
export { formatGroupVersionKind, type GroupVersionKind, groupVersionKindOf } from './group-version-kind.ts';
export type { KindFields } from './kind-fields.ts';
export {
  KubernetesObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
} from './kubernetes-object.ts';
export { Logger, type LogKeys, SilentLogger } from './logger.ts';
export { ManualClock } from './manual-clock.ts';
export { Metadata } from './metadata.ts';
export type { ObjectEvent, Predicate, SeenObject } from './object-event.ts';
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
  formatLabelSelector,
  type LabelRequirement,
  type LabelRequirements,
  LabelSelectorError,
  type LabelSelectorSpec,
  labelRequirementsOf,
  matchesLabels,
  parseLabelSelector,
} from '@evenkeel/apimachinery/selector';
export type { ApiStatus, StatusCause } from '@evenkeel/apimachinery/status';
export {
  type ApiResource,
  apiResource,
  apiVersionOf,
  groupResourceOf,
  type KindClass,
  parseApiVersion,
} from './api-resource.ts';
export { rfc3339 } from './condition.ts';
export { type ControllerMistake, controllerMistakeText } from './controller-plan/controller-mistake.ts';
export type {
  ConcreteClass,
  ControllerPlan,
  PlannedFinalizer,
  PlannedIndex,
  PlannedKind,
  PlannedOwned,
  PlannedWatch,
} from './controller-plan/controller-plan.ts';
export { type ControllerPlans, planControllers } from './controller-plan/plan-controllers.ts';
export { holdsWholeCluster, reconcilesWholeCluster } from './controller-plan/whole-cluster.ts';
export type { ChannelDeclaration } from './decorators/channel.ts';
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
export type { EmbeddedResourceDeclaration } from './decorators/embedded-resource.ts';
export type { EveryDeclaration } from './decorators/every.ts';
export type { FinalizerDeclaration } from './decorators/finalizer.ts';
export { schemaFormats } from './decorators/format.ts';
export type { IndexDeclaration } from './decorators/index-by.ts';
export type { ElementsDeclaration } from './decorators/items.ts';
export type { ListTypeDeclaration } from './decorators/list-type.ts';
export type { ListerDeclaration } from './decorators/lister-of.ts';
export type { OwnsDeclaration } from './decorators/owns.ts';
export type { PrinterColumnDeclaration } from './decorators/printer-column.ts';
export type {
  BoundDeclaration,
  ClassThunk,
  InstanceMemberDecorator,
  PropertyDeclaration,
} from './decorators/property.ts';
export type { RbacDeclaration } from './decorators/rbac.ts';
export type { ReconcileDeclaration } from './decorators/reconcile.ts';
export { resolveKind, resolveWatched } from './decorators/resolve-reference.ts';
export { pluralOf, resourceOf } from './decorators/resource-of.ts';
export type { RuleDeclaration } from './decorators/rule.ts';
export type { ScaleDeclaration } from './decorators/scale.ts';
export type { SchemaDeclaration, SchemaDecorator, SharedSchemaDeclaration } from './decorators/schema-declaration.ts';
export type { WatchesDeclaration } from './decorators/watches.ts';
export { describeValue } from './errors/describe-value.ts';
export { didYouMean } from './errors/did-you-mean.ts';
export {
  type ControllerDecoratorName,
  callSiteOf,
  type FunctionController,
  functionControllerOf,
  markFunctionController,
  placeOf,
  wordOf,
} from './function-controller.ts';
export { type FieldTree, readFieldTree, writeFieldTree } from './kind-fields.ts';
export { isMetadataClass, type MetadataClass } from './metadata.ts';
export { type PlannedRbac, planRbac } from './rbac/plan-rbac.ts';
export type { Transport, TransportRequest, TransportResponse } from './transport.ts';
export { untilAborted } from './until-aborted.ts';
export { compareVersions } from './version-priority.ts';
