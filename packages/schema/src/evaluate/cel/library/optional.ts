import { globalOverload, type Library, memberOverload } from '../value/declaration.ts';
import { noSuchOverload } from '../value/fault.ts';
import { boolType, dynType, intType, listType, mapType, optionalType, typeParameter } from '../value/type.ts';
import {
  ArrayList,
  CelDouble,
  CelDuration,
  CelList,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
  EntryMap,
} from '../value/value.ts';

const k = typeParameter('K');
const v = typeParameter('V');
const optionalOfV = optionalType(v);
const listOfV = listType(v);
const mapOfKV = mapType(k, v);
/** The seconds between the year 1, the start of Go's time, and 1970. */
const zeroTime = -62_135_596_800_000_000_000n;

/** Optional values; `?.` and `[?]` are part of the language and compiled like field selection. */
export const optionalLibrary: Library = {
  types: [{ ...optionalType(dynType), parameters: [] }],
  functions: [
    {
      name: 'optional.of',
      overloads: [globalOverload('optional_of', [v], optionalOfV, (value) => CelOptional.of(value ?? null))],
    },
    {
      name: 'optional.ofNonZeroValue',
      overloads: [
        globalOverload('optional_ofNonZeroValue', [v], optionalOfV, (value) =>
          isZero(value ?? null) ? CelOptional.none : CelOptional.of(value ?? null),
        ),
      ],
    },
    { name: 'optional.none', overloads: [globalOverload('optional_none', [], optionalOfV, () => CelOptional.none)] },
    {
      name: 'value',
      overloads: [memberOverload('optional_value', [optionalOfV], v, (optional) => unwrap(optional).value)],
    },
    {
      name: 'hasValue',
      overloads: [
        memberOverload('optional_hasValue', [optionalOfV], boolType, (optional) => unwrap(optional).hasValue),
      ],
    },
    { name: 'or', overloads: [memberOverload('optional_or_optional', [optionalOfV, optionalOfV], optionalOfV)] },
    { name: 'orValue', overloads: [memberOverload('optional_orValue_value', [optionalOfV, v], v)] },
    {
      name: '_[?_]',
      overloads: [
        globalOverload('list_optindex_optional_int', [listOfV, intType], optionalOfV),
        globalOverload('optional_list_optindex_optional_int', [optionalType(listOfV), intType], optionalOfV),
        globalOverload('map_optindex_optional_value', [mapOfKV, k], optionalOfV),
        globalOverload('optional_map_optindex_optional_value', [optionalType(mapOfKV), k], optionalOfV),
      ],
    },
    {
      name: '_[_]',
      overloads: [
        globalOverload('optional_list_index_int', [optionalType(listOfV), intType], optionalOfV),
        globalOverload('optional_map_index_value', [optionalType(mapOfKV), k], optionalOfV),
      ],
    },
    {
      name: 'first',
      overloads: [memberOverload('list_first', [listOfV], optionalOfV, (list) => elementOf(list, () => 0))],
    },
    {
      name: 'last',
      overloads: [memberOverload('list_last', [listOfV], optionalOfV, (list) => elementOf(list, (size) => size - 1))],
    },
    {
      name: 'optional.unwrap',
      overloads: [globalOverload('optional_unwrap', [listType(optionalOfV)], listOfV, present)],
    },
    {
      name: 'unwrapOpt',
      overloads: [memberOverload('optional_unwrapOpt', [listType(optionalOfV)], listOfV, present)],
    },
  ],
};

function unwrap(value: CelValue | undefined): CelOptional {
  if (!(value instanceof CelOptional)) throw noSuchOverload();
  return value;
}

function elementOf(list: CelValue | undefined, index: (size: number) => number): CelOptional {
  if (!(list instanceof CelList)) throw noSuchOverload();
  return list.size === 0 ? CelOptional.none : CelOptional.of(list.at(index(list.size)));
}

function present(list: CelValue | undefined): CelValue {
  if (!(list instanceof CelList)) throw noSuchOverload();
  return new ArrayList([...list].map(unwrap).flatMap((optional) => (optional.hasValue ? [optional.value] : [])));
}

/** Zeros, empty values and null; data of the object itself never counts as zero, except scalars. */
function isZero(value: CelValue): boolean {
  if (value === null || value === 0 || value === '' || value === false) return true;
  if (value instanceof CelDouble) return value.value === 0;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanoseconds === 0n;
  if (value instanceof CelTimestamp) return value.nanoseconds === zeroTime;
  if (value instanceof Uint8Array) return value.length === 0;
  return (value instanceof ArrayList || value instanceof EntryMap) && value.size === 0;
}
