import { decodeBase64 } from '../go-format/go-base64.ts';
import { numberOf } from '../json/exact-json.ts';

const prefix = 'tag:yaml.org,2002:';
type ScalarType = 'null' | 'bool' | 'int' | 'float' | 'str';

interface Resolved {
  readonly type: ScalarType;
  readonly value: unknown;
}

/** The words that are no strings, such as `yes` and `~`. */
const words = new Map<string, Resolved>(
  (
    [
      ['null', null, '', '~', 'null', 'Null', 'NULL'],
      ['bool', true, 'y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'],
      ['bool', false, 'n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'],
      ['float', Number.NaN, '.nan', '.NaN', '.NAN'],
      ['float', Number.POSITIVE_INFINITY, '.inf', '.Inf', '.INF', '+.inf', '+.Inf', '+.INF'],
      ['float', Number.NEGATIVE_INFINITY, '-.inf', '-.Inf', '-.INF'],
    ] as const
  ).flatMap(([type, value, ...texts]) => texts.map((text) => [text, { type, value }] as const)),
);

const integer = /^([-+]?)(?:0[xX]([\da-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9]\d*))$/;
const shortInteger = /^(?:0|[1-9]\d{0,14})$/;
const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
/** The longest integer that Go reads, in digits of base 2 and a sign. */
const digitsMax = 66;

/** What a scalar without quotes is. Source: `resolve.go` of go.yaml.in/yaml/v2, which reads YAML 1.1. */
function resolve(text: string): Resolved {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (text.startsWith('.')) return floatOf(text) ?? { type: 'str', value: text };
  if (!/^[-+\d]/.test(text)) return { type: 'str', value: text };
  if (shortInteger.test(text)) return { type: 'int', value: Number(text) };
  const plain = text.replaceAll('_', '');
  return integerOf(plain) ?? floatOf(plain) ?? { type: 'str', value: text };
}

function integerOf(text: string): Resolved | undefined {
  const match = text.length > digitsMax ? null : integer.exec(text);
  if (match === null) return undefined;
  const [, sign = '', hexadecimal, binary, octal, digits = ''] = match;
  const magnitude = BigInt(
    hexadecimal !== undefined
      ? `0x${hexadecimal}`
      : binary !== undefined
        ? `0b${binary}`
        : octal !== undefined
          ? `0o${octal}`
          : digits,
  );
  const value = sign === '-' ? -magnitude : magnitude;
  const isInt64 = BigInt.asIntN(64, value) === value;
  if (!isInt64 && (sign !== '' || BigInt.asUintN(64, value) !== value)) return undefined;
  return { type: 'int', value: numberOf(value) };
}

function floatOf(text: string): Resolved | undefined {
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? { type: 'float', value } : undefined;
}

/** A scalar with a tag such as `!!int`. */
function tagged(type: ScalarType, text: string, fail: (message: string) => never): unknown {
  const found = resolve(text);
  if (found.type === type || (type === 'float' && found.type === 'int')) return found.value;
  return fail(`cannot decode !!${found.type} \`${text}\` as a !!${type}`);
}

function binary(text: string, fail: (message: string) => never): string {
  try {
    return decodeBase64(text).toString('utf8');
  } catch {
    return fail('!!binary value contains invalid base64 data');
  }
}

const types: readonly string[] = ['null', 'bool', 'int', 'float'] satisfies readonly ScalarType[];

/** The value of a scalar of YAML 1.1. `tag` is as written, such as `!!int`. Calls `fail` if the scalar does not have the type of its tag. */
export function scalarOf(
  text: string,
  tag: string | undefined,
  isPlain: boolean,
  fail: (message: string) => never,
): unknown {
  if (tag === undefined) return isPlain ? resolve(text).value : text;
  const type = tag.startsWith('!!') ? tag.slice(2) : tag.startsWith(prefix) ? tag.slice(prefix.length) : '';
  if (type === 'binary') return binary(text, fail);
  return types.includes(type) ? tagged(type as ScalarType, text, fail) : text;
}
