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
 * Asks each mapper once about a sample of the kind it watches, before anything runs, and throws one EvenkeelError
 * `invalid-mapper-result` that tells of all whose answer would wake nothing.
 *
 * What a mapper throws is not looked at: the sample has metadata alone. For the same reason not every key is judged, see
 * `isMistaken`. Answers for objects of the cluster are no business of the start: they would let whoever creates an object
 * keep the operator from starting.
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
  let answer: unknown;
  try {
    answer = (Reflect.get(instance, method) as Mapper).call(instance, sampleOf(watch, options.namespaces));
  } catch {
    return [];
  }
  const watched = metadataOnly ? `Metadata(${kind.name})` : kind.name;
  const asked = `${wordOf(controllerClass, 'Watches')}(${watched}): asked about a sample at the start, it`;
  return readMapped(answer, resource)
    .mistakes.filter((mistake) => isMistaken(mistake, watch, options))
    .map(({ what }) => ({ code: 'invalid-mapper-result', controllerClass, method, message: `${asked} ${what}` }));
}

/**
 * Whether the mapper itself is wrong, and not the sample too poor for it. A name may come from a label or a field that the
 * sample lacks. So may a namespace, but only where something selects the objects that have it: of what is not selected, any
 * object of the cluster may be as poor as the sample.
 */
function isMistaken(
  { key }: MappingMistake,
  { kind, labels, fields, predicates }: PlannedWatch,
  { cache = [] }: ManagerOptions,
): boolean {
  if (!(key instanceof ObjectKey)) return true;
  const { name, namespace } = key as { readonly name: unknown; readonly namespace: unknown };
  if (isLacking(name)) return false;
  const isSelected =
    predicates.length > 0 ||
    narrowsKind(cache, kind) ||
    [labels, fields].some((selected) => Object.keys(selected).length > 0);
  return !(isSelected && isLacking(namespace));
}

function isLacking(text: unknown): boolean {
  return text === undefined || text === null || text === '';
}

/** The least that an object of the kind is, as the cache would hand it out. */
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
