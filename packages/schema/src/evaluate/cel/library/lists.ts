import {
  type FunctionDeclaration,
  globalOverload,
  type Implementation,
  type Library,
  memberOverload,
} from '../value/declaration.ts';
import { limitList } from '../value/evaluation-limit.ts';
import { EvaluationFault, noSuchOverload } from '../value/fault.ts';
import { addInt, checkedUint } from '../value/number.ts';
import { checkedDuration } from '../value/time.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  stringType,
  timestampType,
  typeParameter,
  uintType,
} from '../value/type.ts';
import {
  ArrayList,
  CelDouble,
  CelDuration,
  CelList,
  CelUint,
  type CelValue,
  compareValues,
  isEqual,
  isInt,
  typeOfValue,
} from '../value/value.ts';

const t = typeParameter('T');
const comparable = [intType, uintType, doubleType, boolType, durationType, timestampType, stringType, bytesType];
/** The sum of an empty list. */
const zeros: readonly (readonly [CelType, CelValue])[] = [
  [intType, 0],
  [uintType, new CelUint(0n)],
  [doubleType, new CelDouble(0)],
  [durationType, new CelDuration(0n)],
];

/**
 * The list functions of Kubernetes (`isSorted`, `sum`, `min`, `max`, `indexOf`, `lastIndexOf`) and version 3 of
 * cel-go's extension (`slice`, `flatten`, `sort`, `sortBy`, `lists.range`, `reverse`, `distinct`), here since 1.34.
 */
export const listLibrary: Library = {
  functions: [
    {
      name: 'isSorted',
      overloads: comparable.map((type) =>
        memberOverload(`list_${type.kind}_is_sorted_bool`, [listType(type)], boolType, (list) =>
          isSorted(listOf(list)),
        ),
      ),
    },
    {
      name: 'sum',
      overloads: zeros.map(([type, zero]) =>
        memberOverload(`list_${type.kind}_sum_${type.kind}`, [listType(type)], type, (list) =>
          [...listOf(list)].reduce(addValues, zero),
        ),
      ),
    },
    extreme('max', (order) => order < 0),
    extreme('min', (order) => order > 0),
    {
      name: 'indexOf',
      overloads: [
        memberOverload('list_a_index_of_int', [listType(t), t], intType, (list, item) =>
          [...listOf(list)].findIndex((element) => isEqual(element, item ?? null)),
        ),
      ],
    },
    {
      name: 'lastIndexOf',
      overloads: [
        memberOverload('list_a_last_index_of_int', [listType(t), t], intType, (list, item) =>
          [...listOf(list)].findLastIndex((element) => isEqual(element, item ?? null)),
        ),
      ],
    },
    member('slice', 'list_slice', [intType, intType], slice),
    {
      name: 'flatten',
      overloads: [
        memberOverload(
          'list_flatten',
          [listType(listType(t))],
          listType(t),
          (list) => new ArrayList(flatten(listOf(list), 1)),
        ),
        memberOverload(
          'list_flatten_int',
          [listType(dynType), intType],
          listType(dynType),
          (list, depth) => new ArrayList(flatten(listOf(list), intOf(depth))),
        ),
      ],
    },
    {
      name: 'sort',
      overloads: comparable.map((type) =>
        memberOverload(`list_${type.name}_sort`, [listType(type)], listType(type), (list) =>
          sortBy(listOf(list), listOf(list)),
        ),
      ),
    },
    {
      name: '@sortByAssociatedKeys',
      overloads: comparable.map((type) =>
        memberOverload(
          `list_${type.name}_sortByAssociatedKeys`,
          [listType(t), listType(type)],
          listType(t),
          (list, keys) => sortBy(listOf(list), listOf(keys)),
        ),
      ),
    },
    {
      name: 'lists.range',
      overloads: [globalOverload('lists_range', [intType], listType(intType), (end) => new RangeList(intOf(end)))],
    },
    member('reverse', 'list_reverse', [], (list) => new ArrayList([...listOf(list)].reverse())),
    member('distinct', 'list_distinct', [], distinct),
    {
      name: 'cel.@mapInsert',
      overloads: [
        globalOverload('@mapInsert_map_key_value', [mapOf(), typeParameter('K'), typeParameter('V')], mapOf()),
        globalOverload('@mapInsert_map_map', [mapOf(), mapOf()], mapOf()),
      ],
    },
  ],
};

function mapOf(): CelType {
  return { kind: 'map', name: 'map', parameters: [typeParameter('K'), typeParameter('V')] };
}

function member(name: string, id: string, args: readonly CelType[], invoke: Implementation): FunctionDeclaration {
  return { name, overloads: [memberOverload(id, [listType(t), ...args], listType(t), invoke)] };
}

/** The numbers below an end, which may be large, so they are not stored. */
class RangeList extends CelList {
  readonly size: number;

  constructor(end: number) {
    super();
    this.size = Math.max(0, end);
  }

  at(index: number): CelValue {
    return index;
  }
}

function extreme(name: string, isBetter: (order: number) => boolean): FunctionDeclaration {
  return {
    name,
    overloads: comparable.map((type) =>
      memberOverload(`list_${type.kind}_${name}_${type.kind}`, [listType(type)], type, (list) => {
        const [first, ...rest] = listOf(list);
        if (first === undefined) throw new EvaluationFault(`${name} called on empty list`);
        return rest.reduce((best, value) => (isBetter(compareValues(best, value)) ? value : best), first);
      }),
    ),
  };
}

function isSorted(list: CelList): boolean {
  for (let i = 1; i < list.size; i++) if (compareValues(list.at(i - 1), list.at(i)) > 0) return false;
  return true;
}

function addValues(sum: CelValue, value: CelValue): CelValue {
  if (isInt(sum) && isInt(value)) return addInt(sum, value);
  if (sum instanceof CelDouble && value instanceof CelDouble) return new CelDouble(sum.value + value.value);
  if (sum instanceof CelUint && value instanceof CelUint) return checkedUint(sum.value + value.value);
  if (sum instanceof CelDuration && value instanceof CelDuration) {
    return checkedDuration(sum.nanoseconds + value.nanoseconds);
  }
  throw noSuchOverload();
}

function slice(list?: CelValue, from?: CelValue, to?: CelValue): CelValue {
  const source = listOf(list);
  const start = intOf(from);
  const end = intOf(to);
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0 || end < 0) throw new EvaluationFault(`${call}, negative indexes not supported`);
  if (start > end) throw new EvaluationFault(`${call}, start index must be less than or equal to end index`);
  if (source.size < end) throw new EvaluationFault(`${call}, list is length ${source.size}`);
  return new ArrayList(Array.from({ length: end - start }, (_, i) => source.at(start + i)));
}

function flatten(list: CelList, depth: number, into: CelValue[] = []): CelValue[] {
  if (depth < 0) throw new EvaluationFault('level must be non-negative');
  for (let i = 0; i < list.size; i++) {
    const value = list.at(i);
    if (value instanceof CelList && depth > 0) flatten(value, depth - 1, into);
    else into.push(value);
    limitList(into.length);
  }
  return into;
}

function sortBy(list: CelList, keys: CelList): CelValue {
  if (list.size !== keys.size) {
    const sizes = `but got ${list.size} and ${keys.size} elements respectively`;
    throw new EvaluationFault(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, ${sizes}`,
    );
  }
  if (list.size === 0) return list;
  const pairs = [...keys].map((key, i) => ({ key, value: list.at(i) }));
  const type = typeOfValue(keys.at(0)).name;
  if (pairs.some(({ key }) => typeOfValue(key).name !== type)) {
    throw new EvaluationFault('list elements must have the same type');
  }
  pairs.sort((a, b) => compareValues(a.key, b.key));
  return new ArrayList(pairs.map(({ value }) => value));
}

function distinct(list?: CelValue): CelValue {
  const unique: CelValue[] = [];
  for (const value of listOf(list)) if (!unique.some((seen) => isEqual(value, seen))) unique.push(value);
  return new ArrayList(unique);
}

function listOf(value: CelValue | undefined): CelList {
  if (!(value instanceof CelList)) throw noSuchOverload();
  return value;
}

function intOf(value: CelValue | undefined): number {
  if (value === undefined || !isInt(value)) throw noSuchOverload();
  return Number(value);
}
