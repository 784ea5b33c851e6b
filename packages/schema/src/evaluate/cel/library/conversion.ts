import { goFloat } from '../../apimachinery.ts';
import { type FunctionDeclaration, globalOverload, type Implementation } from '../value/declaration.ts';
import { EvaluationFault } from '../value/fault.ts';
import { checkedInt, checkedUint, intFromDouble, parseDouble, parseInteger, uintFromDouble } from '../value/number.ts';
import {
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  timestampFromSeconds,
  unixSeconds,
} from '../value/time.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  stringType,
  timestampType,
  typeParameter,
  typeType,
  uintType,
} from '../value/type.ts';
import {
  CelDouble,
  CelDuration,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  isInt,
  typeOfValue,
} from '../value/value.ts';

const a = typeParameter('A');
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const identity: Implementation = (value) => value ?? null;

type SourceKind = 'bool' | 'bytes' | 'double' | 'duration' | 'int' | 'string' | 'timestamp' | 'uint';

const sources: Readonly<Record<SourceKind, CelType>> = {
  bool: boolType,
  bytes: bytesType,
  double: doubleType,
  duration: durationType,
  int: intType,
  string: stringType,
  timestamp: timestampType,
  uint: uintType,
};

/** The words that Go's `strconv.ParseBool` accepts. */
const booleans = new Map<string, boolean>([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((word): [string, boolean] => [word, true]),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((word): [string, boolean] => [word, false]),
]);

/** `int(x)` and similar conversions, `dyn(x)` and `type(x)`. */
export const conversionFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'type',
    overloads: [globalOverload('type', [a], typeType(a), (value) => new CelTypeValue(typeOfValue(value ?? null)))],
  },
  { name: 'dyn', overloads: [globalOverload('to_dyn', [a], dynType, identity)] },
  conversion(boolType, { string: (value) => booleans.get(value as string) }),
  conversion(bytesType, { string: (value) => new TextEncoder().encode(value as string) }, 'string_to_bytes'),
  conversion(doubleType, {
    int: (value) => new CelDouble(Number(value) + 0),
    string: (value) => parseDouble(value as string),
    uint: (value) => (value instanceof CelUint ? new CelDouble(Number(value.value)) : undefined),
  }),
  conversion(durationType, {
    // Upstream declares it, but it always fails.
    int: () => undefined,
    string: (value) => parseDuration(value as string),
  }),
  conversion(intType, {
    double: (value) => (value instanceof CelDouble ? intFromDouble(value.value) : undefined),
    duration: (value) => (value instanceof CelDuration ? checkedInt(value.nanoseconds) : undefined),
    string: (value) => {
      const parsed = parseInteger(value as string, true);
      return parsed === undefined || BigInt.asIntN(64, parsed) !== parsed ? undefined : checkedInt(parsed);
    },
    timestamp: (value) => (value instanceof CelTimestamp ? checkedInt(unixSeconds(value)) : undefined),
    uint: (value) => (value instanceof CelUint ? checkedInt(value.value) : undefined),
  }),
  conversion(stringType, {
    bool: (value) => String(value),
    bytes: (value) => decode(value),
    double: (value) => (value instanceof CelDouble ? goFloat(value.value) : undefined),
    duration: (value) => (value instanceof CelDuration ? formatDuration(value) : undefined),
    int: (value) => String(value),
    timestamp: (value) => (value instanceof CelTimestamp ? formatTimestamp(value) : undefined),
    uint: (value) => (value instanceof CelUint ? String(value.value) : undefined),
  }),
  conversion(timestampType, {
    int: (value) => (isInt(value) ? timestampFromSeconds(BigInt(value)) : undefined),
    string: (value) => parseTimestamp(value as string),
  }),
  conversion(uintType, {
    double: (value) => (value instanceof CelDouble ? uintFromDouble(value.value) : undefined),
    int: (value) => (isInt(value) ? checkedUint(BigInt(value)) : undefined),
    string: (value) => {
      const parsed = parseInteger(value as string, false);
      return parsed === undefined || BigInt.asUintN(64, parsed) !== parsed ? undefined : new CelUint(parsed);
    },
  }),
];

/** The function named after the type. A converter returns undefined for a value that it cannot convert. */
function conversion(
  to: CelType,
  converters: Partial<Record<SourceKind, (value: CelValue) => CelValue | undefined>>,
  onlyId?: string,
): FunctionDeclaration {
  const overloads = Object.entries(converters).map(([kind, convert]) => {
    const from = sources[kind as SourceKind];
    return globalOverload(onlyId ?? `${kind}_to_${to.kind}`, [from], to, (value) => {
      const converted = convert(value ?? null);
      if (converted !== undefined) return converted;
      throw new EvaluationFault(`type conversion error from '${from.name}' to '${to.name}'`);
    });
  });
  return { name: to.kind, overloads: [globalOverload(`${to.kind}_to_${to.kind}`, [to], to, identity), ...overloads] };
}

function decode(value: CelValue): string {
  if (!(value instanceof Uint8Array)) throw new EvaluationFault('no such overload');
  try {
    return utf8.decode(value);
  } catch {
    throw new EvaluationFault('invalid UTF-8 in bytes, cannot convert to string');
  }
}
