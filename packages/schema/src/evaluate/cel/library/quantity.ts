import { readQuantity } from '../../apimachinery.ts';
import { globalOverload, type Library, memberOverload, type Overload } from '../value/declaration.ts';
import { EvaluationFault, noSuchOverload } from '../value/fault.ts';
import { boolType, doubleType, intType, objectType, stringType } from '../value/type.ts';
import { CelDouble, CelObject, type CelValue, intValue, isInt, stringOf } from '../value/value.ts';

const quantityType = objectType('kubernetes.Quantity');
/** Nanos are the finest unit a quantity keeps. */
const nanoDigits = 9;

/** An amount such as `1.5Gi`. Arithmetic is exact; how it is stored decides what counts as an integer. */
export class QuantityValue extends CelObject {
  readonly celType = quantityType;
  readonly nanos: bigint;
  /** The power of ten of upstream's fast form, or undefined in its slow form, which never counts as an integer. */
  readonly scale: number | undefined;
  readonly #computed: boolean;

  constructor(nanos: bigint, scale: number | undefined, computed = false) {
    super();
    this.nanos = nanos;
    this.scale = scale;
    this.#computed = computed;
  }

  /** Upstream cannot compare with the result of `add` or `sub` on the right-hand side. */
  equals(other: CelValue): boolean {
    if (!(other instanceof QuantityValue) || other.#computed) throw noSuchOverload();
    return other.nanos === this.nanos;
  }

  get integer(): bigint | undefined {
    if (this.scale === undefined || this.scale < 0) return undefined;
    const value = this.nanos / 10n ** BigInt(nanoDigits);
    return BigInt.asIntN(64, value) === value ? value : undefined;
  }

  plus(other: QuantityValue, sign: bigint): QuantityValue {
    const nanos = this.nanos + sign * other.nanos;
    const scales = [this, other].filter((quantity) => quantity.nanos !== 0n).map((quantity) => quantity.scale);
    const fast = scales.every((scale) => scale !== undefined);
    const scale = fast
      ? Math.min(...scales.map((known) => known ?? 0), ...(scales.length === 0 ? [0] : []))
      : undefined;
    const fits = scale !== undefined && BigInt.asIntN(64, unscaled(nanos, scale)) === unscaled(nanos, scale);
    return new QuantityValue(nanos, fits ? scale : undefined, true);
  }
}

/** `quantity()`: the amounts of Kubernetes resources. */
export const quantityLibrary: Library = {
  functions: [
    {
      name: 'quantity',
      overloads: [
        globalOverload('string_to_quantity', [stringType], quantityType, (text) => quantityOf(stringOf(text))),
      ],
    },
    {
      name: 'isQuantity',
      overloads: [
        globalOverload(
          'is_quantity_string',
          [stringType],
          boolType,
          (text) => typeof readQuantity(stringOf(text)) !== 'string',
        ),
      ],
    },
    // Upstream declares it as a function, not as a member.
    {
      name: 'sign',
      overloads: [
        globalOverload('quantity_sign', [quantityType], intType, (quantity) => compare(amount(quantity).nanos, 0n)),
      ],
    },
    { name: 'isGreaterThan', overloads: [binary('is_greater_than', boolType, (order) => order > 0)] },
    { name: 'isLessThan', overloads: [binary('is_less_than', boolType, (order) => order < 0)] },
    { name: 'compareTo', overloads: [binary('compare_to', intType, (order) => order)] },
    {
      name: 'asApproximateFloat',
      overloads: [
        memberOverload('quantity_get_float', [quantityType], doubleType, (quantity) => approximate(amount(quantity))),
      ],
    },
    {
      name: 'asInteger',
      overloads: [
        memberOverload('quantity_get_int', [quantityType], intType, (quantity) => {
          const { integer } = amount(quantity);
          if (integer === undefined) throw new EvaluationFault('cannot convert value to integer');
          return intValue(integer);
        }),
      ],
    },
    {
      name: 'isInteger',
      overloads: [
        memberOverload(
          'quantity_is_integer',
          [quantityType],
          boolType,
          (quantity) => amount(quantity).integer !== undefined,
        ),
      ],
    },
    { name: 'add', overloads: sums('add', 1n) },
    { name: 'sub', overloads: sums('sub', -1n) },
  ],
};

function binary(id: string, result: typeof boolType, pick: (order: number) => CelValue): Overload {
  return memberOverload(`quantity_${id}`, [quantityType, quantityType], result, (a, b) =>
    pick(compare(amount(a).nanos, amount(b).nanos)),
  );
}

function sums(name: string, sign: bigint): Overload[] {
  return [
    memberOverload(`quantity_${name}`, [quantityType, quantityType], quantityType, (a, b) =>
      amount(a).plus(amount(b), sign),
    ),
    memberOverload(`quantity_${name}_int`, [quantityType, intType], quantityType, (a, b) => {
      if (b === undefined || !isInt(b)) throw noSuchOverload();
      return amount(a).plus(new QuantityValue(BigInt(b) * 10n ** BigInt(nanoDigits), 0), sign);
    }),
  ];
}

function quantityOf(text: string): QuantityValue {
  const read = readQuantity(text);
  if (typeof read === 'string') throw new EvaluationFault(read);
  return new QuantityValue(read.nanos, read.fastScale);
}

function approximate(quantity: QuantityValue): CelDouble {
  if (quantity.scale === undefined) return new CelDouble(Number(quantity.nanos) / 1e9);
  return new CelDouble(Number(unscaled(quantity.nanos, quantity.scale)) * 10 ** quantity.scale);
}

function unscaled(nanos: bigint, scale: number): bigint {
  return nanos / 10n ** BigInt(scale + nanoDigits);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function amount(value: CelValue | undefined): QuantityValue {
  if (!(value instanceof QuantityValue)) throw noSuchOverload();
  return value;
}
