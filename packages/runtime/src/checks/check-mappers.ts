import type { ControllerPlan, PlannedWatch } from '@evenkeel/core';
import {
  apiVersionOf,
  type ControllerMistake,
  controllerMistakeText,
  EvenkeelError,
  ObjectKey,
  type SeenObject,
  wordOf,
} from '@evenkeel/core';
import { narrowsKind } from '../cache/cache.ts';
import { handOut } from '../cache/hand-out.ts';
import type { Mapper } from '../handler/enqueue-mapped.ts';
import { type MappingMistake, readMapped } from '../handler/read-mapped.ts';
import type { ManagerOptions } from '../options/manager-options.ts';

/** A controller's plan, and the object whose methods its declarations name. */
export interface PlannedInstance {
  readonly plan: ControllerPlan;
  readonly instance: object;
}

/**
 * Calls each mapper once with a sample object of its kind before anything runs, and throws one EvenkeelError
 * `invalid-mapper-result` that lists all mappers whose result would enqueue nothing.
 *
 * The sample has only metadata, so errors that a mapper throws are ignored, and not every key is checked; see `isMistaken`. The
 * start does not use objects of the cluster, because then any user who creates an object could keep the operator from starting.
 */
export function checkMappers(controllers: readonly PlannedInstance[], options: ManagerOptions): void {
  const mistakes = controllers.flatMap(({ plan, instance }) =>
    plan.watches.flatMap((watch) => mistakesOf(plan, watch, instance, options)),
  );
  if (mistakes.length === 0) return;
  throw new EvenkeelError('invalid-mapper-result', mistakes.map(controllerMistakeText).join('\n'));
}

function mistakesOf(
  { controllerClass, resource }: ControllerPlan,
  watch: PlannedWatch,
  instance: object,
  options: ManagerOptions,
): ControllerMistake[] {
  const { kind, metadataOnly, method } = watch;
  let result: unknown;
  try {
    result = (Reflect.get(instance, method) as Mapper).call(instance, sampleOf(watch, options.namespaces));
  } catch {
    return [];
  }
  const watched = metadataOnly ? `Metadata(${kind.name})` : kind.name;
  const subject = `${wordOf(controllerClass, 'Watches')}(${watched}): called with a sample object at startup, the mapper`;
  return readMapped(result, resource)
    .mistakes.filter((mistake) => isMistaken(mistake, watch, options))
    .map(({ what }) => ({ code: 'invalid-mapper-result', controllerClass, method, message: `${subject} ${what}` }));
}

/**
 * Whether the mapper is wrong, rather than the sample incomplete. A name may come from a label or a field that the sample does
 * not have. So may a namespace, but only if the watch selects objects that have it. Without a selection, objects of the cluster
 * may be as incomplete as the sample.
 */
function isMistaken(
  { key }: MappingMistake,
  { kind, labels, fields, predicates }: PlannedWatch,
  { cache = [] }: ManagerOptions,
): boolean {
  if (!(key instanceof ObjectKey)) return true;
  const { name, namespace } = key as { readonly name: unknown; readonly namespace: unknown };
  if (isMissing(name)) return false;
  const isSelected =
    predicates.length > 0 ||
    narrowsKind(cache, kind) ||
    [labels, fields].some((selected) => Object.keys(selected).length > 0);
  return !(isSelected && isMissing(namespace));
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** A minimal object of the kind, as the cache would return it. */
function sampleOf(
  { kind, resource, metadataOnly, labels, fields }: PlannedWatch,
  namespaces: readonly string[] | undefined,
): SeenObject {
  const namespace = fields['metadata.namespace'] ?? namespaces?.[0] ?? 'default';
  const sample = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: {
      name: fields['metadata.name'] ?? 'sample',
      ...(resource.namespaced ? { namespace } : {}),
      uid: '00000000-0000-4000-8000-000000000000',
      resourceVersion: '1',
      creationTimestamp: '1970-01-01T00:00:00Z',
      labels: { ...labels },
      annotations: {},
    },
  };
  return handOut(sample, metadataOnly ? undefined : (kind.prototype as object));
}
