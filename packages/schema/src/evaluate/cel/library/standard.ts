import { codePointCount } from '../../code-points.ts';
import { select } from '../value/attribute.ts';
import {
  type FunctionDeclaration,
  globalOverload,
  type Library,
  memberOverload,
  type Overload,
} from '../value/declaration.ts';
import { noSuchOverload } from '../value/fault.ts';
import {
  addInt,
  checkedUint,
  divideInt,
  divideUint,
  moduloInt,
  moduloUint,
  multiplyInt,
  negateInt,
  subtractInt,
} from '../value/number.ts';
import { checkedDuration, checkedTimestamp } from '../value/time.ts';
import {
  boolType,
  bytesType,
  type CelType,
  type CelTypeKind,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  typeParameter,
  typeType,
  uintType,
} from '../value/type.ts';
import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelTimestamp,
  CelUint,
  type CelValue,
  compareValues,
  isInt,
} from '../value/value.ts';
import { conversionFunctions } from './conversion.ts';
import { compileRegex, matches } from './regex.ts';
import { timeFunctions } from './time-fields.ts';

const a = typeParameter('A');
const b = typeParameter('B');
const listOfA = listType(a);
const mapOfAB = mapType(a, b);

const orderedTypes = [boolType, intType, uintType, doubleType, stringType, bytesType, timestampType, durationType];
const numericTypes = [intType, uintType, doubleType];
/** Upstream's names of types in the names of overloads. */
const overloadNames = new Map([
  [intType, 'int64'],
  [uintType, 'uint64'],
  [timestampType, 'timestamp'],
  [durationType, 'duration'],
]);

/** The standard functions of CEL: operators, sizes, tests on strings, conversions and parts of times. */
export const standardLibrary: Library = {
  types: [
    boolType,
    bytesType,
    doubleType,
    durationType,
    intType,
    { ...listType(dynType) },
    { ...mapType(dynType, dynType) },
    nullType,
    stringType,
    timestampType,
    typeType(),
    uintType,
  ],
  functions: [
    { name: '_?_:_', overloads: [globalOverload('conditional', [boolType, a, a], a)] },
    { name: '_&&_', overloads: [globalOverload('logical_and', [boolType, boolType], boolType)] },
    { name: '_||_', overloads: [globalOverload('logical_or', [boolType, boolType], boolType)] },
    { name: '!_', receives: 'anything', overloads: [globalOverload('logical_not', [boolType], boolType, not)] },
    { name: '@not_strictly_false', overloads: [globalOverload('not_strictly_false', [boolType], boolType)] },
    { name: '_==_', overloads: [globalOverload('equals', [a, a], boolType)] },
    { name: '_!=_', overloads: [globalOverload('not_equals', [a, a], boolType)] },
    arithmetic(
      '_+_',
      'add',
      add,
      ['bytes', 'double', 'duration', 'int', 'list', 'string', 'timestamp', 'uint'],
      [bytesType, doubleType],
      [
        globalOverload('add_duration_duration', [durationType, durationType], durationType, add),
        globalOverload('add_duration_timestamp', [durationType, timestampType], timestampType, add),
        globalOverload('add_timestamp_duration', [timestampType, durationType], timestampType, add),
        globalOverload('add_int64', [intType, intType], intType, add),
        globalOverload('add_list', [listOfA, listOfA], listOfA, add),
        globalOverload('add_string', [stringType, stringType], stringType, add),
        globalOverload('add_uint64', [uintType, uintType], uintType, add),
      ],
    ),
    arithmetic('_-_', 'subtract', subtract, ['int', 'uint', 'double', 'duration', 'timestamp'], numericTypes, [
      globalOverload('subtract_duration_duration', [durationType, durationType], durationType, subtract),
      globalOverload('subtract_timestamp_duration', [timestampType, durationType], timestampType, subtract),
      globalOverload('subtract_timestamp_timestamp', [timestampType, timestampType], durationType, subtract),
    ]),
    arithmetic('_*_', 'multiply', multiply, ['int', 'uint', 'double'], numericTypes),
    arithmetic('_/_', 'divide', divide, ['int', 'uint', 'double'], numericTypes),
    arithmetic('_%_', 'modulo', modulo, ['int', 'uint'], [intType, uintType]),
    {
      name: '-_',
      receives: ['int', 'double', 'duration', 'bool'],
      overloads: [
        globalOverload('negate_double', [doubleType], doubleType, negate),
        globalOverload('negate_int64', [intType], intType, negate),
      ],
    },
    comparison('_<_', 'less', (order) => order < 0),
    comparison('_<=_', 'less_equals', (order) => order <= 0),
    comparison('_>_', 'greater', (order) => order > 0),
    comparison('_>=_', 'greater_equals', (order) => order >= 0),
    {
      name: '_[_]',
      overloads: [
        globalOverload('index_list', [listOfA, intType], a, select),
        globalOverload('index_map', [mapOfAB, a], b, select),
      ],
    },
    {
      name: '@in',
      receives: 'anything',
      overloads: [
        globalOverload('in_list', [a, listOfA], boolType, (value, list) => contains(list, value)),
        globalOverload('in_map', [a, mapOfAB], boolType, (value, map) => contains(map, value)),
      ],
    },
    {
      name: 'size',
      receives: ['bytes', 'list', 'map', 'string'],
      overloads: [bytesType, listOfA, mapOfAB, stringType].flatMap((type) => [
        globalOverload(`size_${type.kind}`, [type], intType, size),
        memberOverload(`${type.kind}_size`, [type], intType, size),
      ]),
    },
    stringTest('contains', (text, part) => text.includes(part)),
    stringTest('endsWith', (text, part) => text.endsWith(part), 'ends_with_string'),
    stringTest('startsWith', (text, part) => text.startsWith(part), 'starts_with_string'),
    {
      name: 'matches',
      receives: ['string'],
      overloads: [
        globalOverload('matches', [stringType, stringType], boolType, matchesPattern),
        memberOverload('matches_string', [stringType, stringType], boolType, matchesPattern),
      ],
    },
    ...conversionFunctions,
    ...timeFunctions,
  ],
};

function arithmetic(
  name: string,
  operation: string,
  invoke: (left: CelValue, right: CelValue) => CelValue,
  receives: readonly CelTypeKind[],
  types: readonly CelType[],
  others: readonly Overload[] = [],
): FunctionDeclaration {
  const same = types.map((type) =>
    globalOverload(`${operation}_${overloadNames.get(type) ?? type.name}`, [type, type], type, invoke),
  );
  return { name, receives, overloads: [...same, ...others] };
}

function comparison(name: string, operation: string, holds: (order: number) => boolean): FunctionDeclaration {
  const invoke = (left: CelValue, right: CelValue) => holds(compareValues(left, right));
  const overloads = orderedTypes.flatMap((left) =>
    (numericTypes.includes(left) ? numericTypes : [left]).map((right) => {
      const names = [left, ...(left === right ? [] : [right])].map((type) => overloadNames.get(type) ?? type.name);
      return globalOverload(`${operation}_${names.join('_')}`, [left, right], boolType, invoke);
    }),
  );
  return { name, receives: orderedTypes.map((type) => type.kind), overloads };
}

function stringTest(
  name: string,
  holds: (text: string, part: string) => boolean,
  id = `${name}_string`,
): FunctionDeclaration {
  const invoke = (text: CelValue, part: CelValue): boolean => {
    if (typeof text !== 'string' || typeof part !== 'string') throw noSuchOverload();
    return holds(text, part);
  };
  return { name, receives: 'anything', overloads: [memberOverload(id, [stringType, stringType], boolType, invoke)] };
}

function not(value: CelValue): CelValue {
  if (typeof value !== 'boolean') throw noSuchOverload();
  return !value;
}

function add(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return addInt(left, right);
  if (typeof left === 'string' && typeof right === 'string') return left + right;
  if (left instanceof CelDouble && right instanceof CelDouble) return new CelDouble(left.value + right.value);
  if (left instanceof CelUint && right instanceof CelUint) return checkedUint(left.value + right.value);
  if (left instanceof CelList && right instanceof CelList) return left.concat(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) {
    return Uint8Array.from(Buffer.concat([left, right]));
  }
  if (left instanceof CelDuration && right instanceof CelDuration) {
    return checkedDuration(left.nanoseconds + right.nanoseconds);
  }
  if (left instanceof CelTimestamp && right instanceof CelDuration) return shift(left, right.nanoseconds);
  if (left instanceof CelDuration && right instanceof CelTimestamp) return shift(right, left.nanoseconds);
  throw noSuchOverload();
}

function subtract(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return subtractInt(left, right);
  if (left instanceof CelDouble && right instanceof CelDouble) return new CelDouble(left.value - right.value);
  if (left instanceof CelUint && right instanceof CelUint) return checkedUint(left.value - right.value);
  if (left instanceof CelDuration && right instanceof CelDuration) {
    return checkedDuration(left.nanoseconds - right.nanoseconds);
  }
  if (left instanceof CelTimestamp && right instanceof CelDuration) return shift(left, -right.nanoseconds);
  if (left instanceof CelTimestamp && right instanceof CelTimestamp) {
    return checkedDuration(left.nanoseconds - right.nanoseconds);
  }
  throw noSuchOverload();
}

function shift(timestamp: CelTimestamp, nanoseconds: bigint): CelTimestamp {
  return new CelTimestamp(checkedTimestamp(timestamp.nanoseconds + nanoseconds), timestamp.offsetMinutes);
}

function multiply(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return multiplyInt(left, right);
  if (left instanceof CelDouble && right instanceof CelDouble) return new CelDouble(left.value * right.value);
  if (left instanceof CelUint && right instanceof CelUint) return checkedUint(left.value * right.value);
  throw noSuchOverload();
}

function divide(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return divideInt(left, right);
  if (left instanceof CelDouble && right instanceof CelDouble) return new CelDouble(left.value / right.value);
  if (left instanceof CelUint && right instanceof CelUint) return divideUint(left, right);
  throw noSuchOverload();
}

function modulo(left: CelValue, right: CelValue): CelValue {
  if (isInt(left) && isInt(right)) return moduloInt(left, right);
  if (left instanceof CelUint && right instanceof CelUint) return moduloUint(left, right);
  throw noSuchOverload();
}

function negate(value: CelValue): CelValue {
  if (isInt(value)) return negateInt(value);
  if (value instanceof CelDouble) return new CelDouble(-value.value);
  if (value instanceof CelDuration) return checkedDuration(-value.nanoseconds);
  throw noSuchOverload();
}

function size(value: CelValue): CelValue {
  if (typeof value === 'string') return codePointCount(value);
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof Uint8Array) return value.length;
  throw noSuchOverload();
}

function matchesPattern(text: CelValue, pattern: CelValue): CelValue {
  if (typeof text !== 'string' || typeof pattern !== 'string') throw noSuchOverload();
  return matches(text, compileRegex(pattern));
}

/** `in` for a list or the keys of a map. */
export function contains(container: CelValue, value: CelValue): boolean {
  if (container instanceof CelList) return container.contains(value);
  if (container instanceof CelMap) return container.find(value) !== undefined;
  throw noSuchOverload();
}
