import { isJsonObject } from '@evenkeel/apimachinery/json';
import { declarationsOf, resourceOf } from '@evenkeel/core';
import { type CheckedConversion, type FieldMove, fieldPathText } from '@evenkeel/core/conversion';

/** The steps to a value in an object: names of fields, keys of maps, and indexes of lists. */
export type ValuePath = readonly (string | number)[];

/** The fields of one version whose losses its class accepts by `lossy.versions`. */
export class AcceptedFields {
  readonly #fields: readonly (readonly string[])[];

  /** @param side the version whose objects are compared. The declared paths are those of the hub. */
  constructor({ spoke, moves }: CheckedConversion, side: 'spoke' | 'hub') {
    const lossy: unknown = declarationsOf(spoke.type).customResource?.lossy?.versions;
    const { kind } = resourceOf(spoke.type);
    this.#fields = Object.keys(isJsonObject(lossy) ? lossy : {})
      .flatMap((path) => (side === 'hub' ? path : pathInSpoke(path, moves)))
      .map((path) => (path === kind ? [] : stepsOf(path)));
  }

  has(path: ValuePath): boolean {
    return this.#fields.some(
      (field) => field.length === path.length && field.every((step, at) => isStep(step, path[at] ?? '')),
    );
  }

  /** Whether an error of the API server is about such a field: `spec.ports[0].name: Required value`. */
  isAbout(error: string): boolean {
    const [field = ''] = error.split(': ');
    // The whole object has no name.
    if (field === '<nil>') return this.has([]);
    return this.has(stepsOf(field).map((step) => (/^\[\d+\]$/.test(step) ? Number(step.slice(1, -1)) : step)));
  }
}

/** Empty if the spoke uses this path for another field. */
function pathInSpoke(path: string, moves: readonly FieldMove[]): string[] {
  const moved = moves
    .map(({ from, to }) => ({ from: fieldPathText(from), to: fieldPathText(to) }))
    .toSorted((one, other) => other.to.length - one.to.length);
  const own = moved.find(({ to }) => isAtOrBelow(path, to));
  if (own !== undefined) return [own.from + path.slice(own.to.length)];
  return moved.some(({ from }) => isAtOrBelow(path, from)) ? [] : [path];
}

function isAtOrBelow(path: string, parent: string): boolean {
  return path.startsWith(parent) && ['', '.', '['].includes(path.charAt(parent.length));
}

/** `spec.ports[*].name` as `spec`, `ports`, `[*]` and `name`. */
function stepsOf(path: string): string[] {
  return path.replaceAll('[', '.[').split('.');
}

function isStep(step: string, actual: string | number): boolean {
  if (typeof actual === 'number') return step === '[*]';
  return step === actual || step === '*';
}
