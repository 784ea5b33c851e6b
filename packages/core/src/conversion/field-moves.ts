import type { JsonObject } from '@evenkeel/apimachinery/json';
import { fieldPathText, type PathStep, SharingCopy } from './field-path.ts';

/** A field and its place in the other version. */
export interface FieldMove {
  readonly from: readonly PathStep[];
  readonly to: readonly PathStep[];
}

interface NamedMove {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Moves fields of an object of one version to their places in another one. */
export class FieldMoves {
  /** Inner fields first, so that a field and one in it can go to different places. */
  readonly #takes: readonly NamedMove[];
  /** Outer fields first, for the same reason. */
  readonly #puts: readonly NamedMove[];
  /** Moves in the elements of lists, with the lists' places before they are moved themselves. */
  readonly #lists: readonly { readonly list: readonly string[]; readonly moves: FieldMoves }[];

  /** The moves must have no {@link moveMistakes}. */
  constructor(moves: readonly FieldMove[]) {
    const whole = moves.filter(({ from }) => !from.some(({ each }) => each)).map(namesOfMove);
    this.#takes = whole.toSorted((one, other) => other.from.length - one.from.length);
    this.#puts = whole.toSorted((one, other) => one.to.length - other.to.length);
    this.#lists = [...Map.groupBy(moves.filter(isInList), ({ from }) => fieldPathText(listOf(from)))].map(
      ([, inList]) => ({
        list: namesOf(listOf(inList[0]?.from ?? [])),
        moves: new FieldMoves(inList.map(({ from, to }) => ({ from: belowList(from), to: belowList(to) }))),
      }),
    );
  }

  get isEmpty(): boolean {
    return this.#takes.length === 0 && this.#lists.length === 0;
  }

  /** Returns the object with moved fields. It shares everything else with the given one. */
  apply(object: JsonObject): JsonObject {
    if (this.isEmpty) return object;
    const copy = new SharingCopy(object);
    for (const { list, moves } of this.#lists) copy.mapList(list, (element) => moves.apply(element));
    const taken = new Map(this.#takes.map((move) => [move, copy.take(move.from)]));
    // What the other version has in such a place is the moved field, not the field of the same name.
    for (const { to } of this.#puts) copy.remove(to);
    for (const move of this.#puts) {
      const value = taken.get(move);
      if (value !== undefined) copy.set(move.to, value);
    }
    return copy.root;
  }
}

/** The reasons why moves contradict each other. */
export function moveMistakes(moves: readonly FieldMove[]): string[] {
  const found: string[] = [];
  const targets = new Map<string, string>();
  const images = new Map(moves.map(({ from, to }) => [fieldPathText(from), to]));
  for (const { from, to } of moves) {
    const [source, target] = [fieldPathText(from), fieldPathText(to)];
    const other = targets.get(target);
    if (other !== undefined) found.push(`${other} and ${source} both move to ${target}; move only one of them there`);
    targets.set(target, source);
    if (from.filter(({ each }) => each).length !== to.filter(({ each }) => each).length) {
      found.push(`${source} and ${target} are not in the same list; use toHub and fromHub`);
    } else if (isInList({ from })) {
      const list = listsOf(from).at(-1) ?? [];
      const expected = imageOf(list, images);
      if (expected !== fieldPathText(listsOf(to).at(-1) ?? [])) {
        found.push(`${source} moves to ${target}, but its list is ${expected} in the hub; write a path in that list`);
      }
    }
  }
  return found;
}

/** Returns the place of a list of the one version in the other. */
function imageOf(list: readonly PathStep[], images: ReadonlyMap<string, readonly PathStep[]>): string {
  for (let length = list.length; length > 0; length--) {
    const prefix = list.slice(0, length).map((step, at) => (at === length - 1 ? { ...step, each: false } : step));
    const image = images.get(fieldPathText(prefix));
    if (image === undefined) continue;
    const isList = list[length - 1]?.each === true;
    const moved = image.map((step, at) => (at === image.length - 1 ? { ...step, each: isList } : step));
    return fieldPathText([...moved, ...list.slice(length)]);
  }
  return fieldPathText(list);
}

/** The lists in a path, from the outermost: paths that end with `[*]`. */
function listsOf(steps: readonly PathStep[]): (readonly PathStep[])[] {
  return steps.flatMap(({ each }, at) => (each ? [steps.slice(0, at + 1)] : []));
}

function isInList({ from }: Pick<FieldMove, 'from'>): boolean {
  return from.some(({ each }) => each);
}

function listOf(steps: readonly PathStep[]): readonly PathStep[] {
  return steps.slice(0, steps.findIndex(({ each }) => each) + 1);
}

function belowList(steps: readonly PathStep[]): readonly PathStep[] {
  return steps.slice(steps.findIndex(({ each }) => each) + 1);
}

function namesOfMove({ from, to }: FieldMove): NamedMove {
  return { from: namesOf(from), to: namesOf(to) };
}

function namesOf(steps: readonly PathStep[]): string[] {
  return steps.map(({ name }) => name);
}
