/**
 * Decorators, declarations, contracts and errors. Operators import most of them from `evenkeel`.
 *
 * @module @evenkeel/core
 */

// For operators.

export {
  type AdmissionOperation,
  type AdmissionResource,
  AdmissionReview,
  type AdmissionUser,
} from './contract/admission-review.ts';
export { Clock, SystemClock, type Timer } from './contract/clock.ts';
export { Logger, type LogKeys, SilentLogger } from './contract/logger.ts';
export { ManualClock } from './contract/manual-clock.ts';
export type { ObjectValidator, ValidationFinding } from './contract/object-validator.ts';
export { Random, SeededRandom, SystemRandom } from './contract/random.ts';
export type { ConversionOptions, FieldMoves } from './declarations/conversion-declaration.ts';
export type { CustomResourceOptions, LossyFields } from './declarations/custom-resource-declaration.ts';
export type { EmbeddedResourceOptions } from './declarations/property.ts';
export type {
  ClassProvider,
  Dependency,
  FactoryProvider,
  InversifyModule,
  Provider,
  ProviderScope,
  ServiceEntry,
  ValueProvider,
} from './declarations/provider.ts';
export type { AdmissionRule, AdmissionRuleOptions, RuleOptions, RuleReason } from './declarations/rule-declaration.ts';
export type { SchemaKeywords } from './declarations/schema-keywords.ts';
export { type ServiceIdentifier, type ServiceReference, type Token, token } from './declarations/token.ts';
export type { WebhookMatchCondition, WebhookOptions, WebhookParams } from './declarations/webhook-options.ts';
export { Admit } from './decorators/admit.ts';
export { AtLeastOneOf } from './decorators/at-least-one-of.ts';
export { AtMostOneOf } from './decorators/at-most-one-of.ts';
export { Channel } from './decorators/channel.ts';
export { Conditions } from './decorators/conditions.ts';
export { Controller, type ControllerOptions } from './decorators/controller.ts';
export { CustomResource } from './decorators/custom-resource.ts';
export { Default } from './decorators/default.ts';
export { EmbeddedResource } from './decorators/embedded-resource.ts';
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
export { Inject } from './decorators/inject.ts';
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
export { MutatingWebhook, type MutatingWebhookOptions } from './decorators/mutating-webhook.ts';
export { Mutation, type MutationOptions } from './decorators/mutation.ts';
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
  type RbacTarget,
  type RbacVerb,
  type ResourceVerb,
} from './decorators/rbac.ts';
export { Reconcile, type ReconcileOptions } from './decorators/reconcile.ts';
export { Recursive } from './decorators/recursive.ts';
export { Rule } from './decorators/rule.ts';
export { Scale } from './decorators/scale.ts';
export { Schema } from './decorators/schema.ts';
export { Schemaless } from './decorators/schemaless.ts';
export { SelectableField } from './decorators/selectable-field.ts';
export { Spec } from './decorators/spec.ts';
export { Status } from './decorators/status.ts';
export { Title } from './decorators/title.ts';
export { Union } from './decorators/union.ts';
export { ValidatingWebhook, type ValidatingWebhookOptions } from './decorators/validating-webhook.ts';
export { Values } from './decorators/values.ts';
export { Watches, type WatchesOptions } from './decorators/watches.ts';
export { type ErrorCode, errorCodes } from './errors/error-codes.ts';
export { EvenkeelError } from './errors/evenkeel-error.ts';
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
} from './errors/status-error.ts';
export { formatGroupVersionKind, type GroupVersionKind, groupVersionKindOf } from './kind/group-version-kind.ts';
export type { KindFields } from './kind/kind-fields.ts';
export { Metadata } from './kind/metadata.ts';
export { Condition, type ConditionStatus, findCondition, withCondition } from './object/condition.ts';
export {
  KubernetesObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
} from './object/kubernetes-object.ts';
export { ObjectKey } from './object/object-key.ts';
export type { ServedObject } from './object/served-object.ts';
export type { ObjectEvent, Predicate, SeenObject } from './predicate/object-event.ts';
export { quantityValue } from './quantity/quantity-value.ts';
export { type Duration, durationMs, parseDuration } from './time/duration.ts';

// For the packages that read declarations and send requests, and for authors of libraries.

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
  type AdmissionPolicy,
  type AdmissionPolicyBinding,
  type BoundPolicy,
  type NamedExpression,
  type PolicyKind,
  policyKinds,
} from './contract/admission-policy.ts';
export { admissionOperations } from './contract/admission-review.ts';
export { BoundedBody, readBounded } from './contract/bounded-body.ts';
export type {
  ManagerRecord,
  ManagerWitness,
  WitnessedLine,
  WitnessedManager,
  WitnessedRun,
} from './contract/manager-witness.ts';
export type { CompiledRules, RuleDenial, RuleEvaluator, RuleInput } from './contract/rule-evaluator.ts';
export type { Transport, TransportRequest, TransportResponse } from './contract/transport.ts';
export type { WebhookClientConfig, WebhookConfiguration, WebhookEntry } from './contract/webhook-configuration.ts';
export type {
  HostedConversion,
  HostedWebhooks,
  WebhookAnswer,
  WebhookCall,
  WebhookHost,
} from './contract/webhook-host.ts';
export { placeOfCall, recordCall } from './declarations/call-site.ts';
export type {
  AnyClass,
  ConcreteClass,
  KindReference,
  ObjectOfReference,
  WatchedReference,
} from './declarations/class-reference.ts';
export type { ControllerDecorator, FunctionStep, PlainFunction } from './declarations/controller-decorator.ts';
export { type ControllerMistake, controllerMistakeText } from './declarations/controller-mistake.ts';
export type { CustomResourceDeclaration } from './declarations/custom-resource-declaration.ts';
export {
  callSiteOf,
  type FunctionController,
  functionControllerOf,
  markFunctionController,
  placeOf,
  stepName,
} from './declarations/function-controller.ts';
export { inheritanceChain } from './declarations/inheritance-chain.ts';
export type { CachedKind, PlannedKind } from './declarations/planned-kind.ts';
export type {
  BoundDeclaration,
  ClassThunk,
  ElementsDeclaration,
  InstanceMemberDecorator,
  PropertyDeclaration,
  SharedSchemaDeclaration,
} from './declarations/property.ts';
export {
  isInversifyModule,
  isProvider,
  type ListerDependency,
  nameOfProvider,
  recordProvider,
  serviceClassesOf,
} from './declarations/provider.ts';
export { nameOfReference, resolveKind, resolveWatched } from './declarations/resolve-reference.ts';
export { pluralOf, resourceOf } from './declarations/resource-of.ts';
export type { RuleDeclaration } from './declarations/rule-declaration.ts';
export { OnlyInRun, RunServices } from './declarations/run-services.ts';
export type { SchemaDeclaration, SchemaDecorator } from './declarations/schema-declaration.ts';
export { nameOfService, placedNameOfService, resolveService } from './declarations/token.ts';
export type { WebhookDeclaration } from './declarations/webhook-class.ts';
export type { AdmittedObject, AdmittedScale } from './declarations/webhook-options.ts';
export { schemaFormats } from './decorators/format.ts';
export type { PlannedIndex } from './decorators/index-by.ts';
export type { InjectDeclaration } from './decorators/inject.ts';
export type { ListerDeclaration } from './decorators/lister-of.ts';
export type { PlannedOwned } from './decorators/owns.ts';
export type { PrinterColumnDeclaration } from './decorators/printer-column.ts';
export { type PlannedRbac, planRbac } from './decorators/rbac.ts';
export type { ScaleDeclaration } from './decorators/scale.ts';
export type { PlannedWatch } from './decorators/watches.ts';
export { describeValue } from './errors/describe-value.ts';
export { didYouMean } from './errors/did-you-mean.ts';
export { frozenPropertyOf } from './errors/frozen-property.ts';
export { isError } from './errors/is-error.ts';
export { messageOf } from './errors/message-of.ts';
export { messageWithCause } from './errors/message-with-cause.ts';
export { printable } from './errors/printable.ts';
export {
  framesOf,
  placesOf,
  type StackFrame,
  type StackPlace,
  takeCallers,
  userFramesOf,
  userPlaceOf,
  userPlacesOf,
} from './errors/stack-places.ts';
export { withoutTokens } from './errors/without-tokens.ts';
export {
  type ApiResource,
  apiResource,
  apiVersionOf,
  groupResourceOf,
  type KindClass,
  parseApiVersion,
} from './kind/api-resource.ts';
export { fieldsOfEveryObject } from './kind/fields-of-every-object.ts';
export { type FieldTree, readFieldTree, writeFieldTree } from './kind/kind-fields.ts';
export { isMetadataClass, type MetadataClass } from './kind/metadata.ts';
export { compareVersions } from './kind/version-priority.ts';
export { rfc3339 } from './object/condition.ts';
export { type ClassDeclarations, declarationsOf, ownDeclarationsOf } from './plan/class-declarations.ts';
export {
  type ControllerDecoratorName,
  type ControllerSteps,
  controllerDecorators,
  wordOf,
} from './plan/controller-decorators.ts';
export type { ControllerPlan } from './plan/controller-plan.ts';
export { type ControllerPlans, planControllers } from './plan/plan-controllers.ts';
export { holdsWholeCluster, reconcilesWholeCluster } from './plan/whole-cluster.ts';
export { untilAborted } from './time/until-aborted.ts';
