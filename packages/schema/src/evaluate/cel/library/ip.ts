import { goQuote } from '../../apimachinery.ts';
import { formatAddress, parseAddress } from '../../format/ip-address.ts';
import { globalOverload, type Library, memberOverload, type Overload } from '../value/declaration.ts';
import { EvaluationFault, noSuchOverload } from '../value/fault.ts';
import { boolType, type CelType, intType, opaqueType, stringType } from '../value/type.ts';
import { CelObject, type CelValue, stringOf } from '../value/value.ts';

const ipType = opaqueType('net.IP');
const cidrType = opaqueType('net.CIDR');

/** An IP address: 4 or 16 bytes, never an IPv4 address mapped into IPv6. */
export class IpValue extends CelObject {
  readonly celType = ipType;
  readonly bytes: readonly number[];

  constructor(bytes: readonly number[]) {
    super();
    this.bytes = bytes;
  }

  get byteLength(): number {
    return this.bytes.length;
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof IpValue)) throw noSuchOverload();
    return sameBytes(this.bytes, other.bytes);
  }
}

/** An address with the length of its network prefix; bits after the prefix may be set. */
export class CidrValue extends CelObject {
  readonly celType = cidrType;
  readonly bytes: readonly number[];
  readonly prefixLength: number;

  constructor(bytes: readonly number[], prefixLength: number) {
    super();
    this.bytes = bytes;
    this.prefixLength = prefixLength;
  }

  /** The number of bytes in the prefix, which determines costs. */
  get byteLength(): number {
    return Math.ceil(this.prefixLength / 8);
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof CidrValue)) throw noSuchOverload();
    return this.prefixLength === other.prefixLength && sameBytes(this.bytes, other.bytes);
  }

  contains(address: readonly number[]): boolean {
    return (
      address.length === this.bytes.length &&
      sameBytes(mask(address, this.prefixLength), mask(this.bytes, this.prefixLength))
    );
  }
}

/** `ip()` and `cidr()` of Kubernetes. */
export const ipLibrary: Library = {
  types: [ipType, cidrType],
  functions: [
    {
      name: 'ip',
      overloads: [
        globalOverload('string_to_ip', [stringType], ipType, parseIp),
        memberOverload('cidr_ip', [cidrType], ipType, (cidr) => new IpValue(cidrOf(cidr).bytes)),
      ],
    },
    { name: 'family', overloads: [ofIp('family', intType, ({ bytes }) => (bytes.length === 4 ? 4 : 6))] },
    {
      name: 'ip.isCanonical',
      overloads: [
        globalOverload(
          'ip_is_canonical',
          [stringType],
          boolType,
          (text) => formatAddress(parseIp(text).bytes) === text,
        ),
      ],
    },
    {
      name: 'isUnspecified',
      overloads: [ofIp('is_unspecified', boolType, ({ bytes }) => bytes.every((byte) => byte === 0))],
    },
    { name: 'isLoopback', overloads: [ofIp('is_loopback', boolType, ({ bytes }) => isLoopback(bytes))] },
    { name: 'isLinkLocalMulticast', overloads: [ofIp('is_link_local_multicast', boolType, isLinkLocalMulticast)] },
    {
      name: 'isLinkLocalUnicast',
      overloads: [ofIp('is_link_local_unicast', boolType, ({ bytes }) => isLinkLocal(bytes))],
    },
    {
      name: 'isGlobalUnicast',
      overloads: [ofIp('is_global_unicast', boolType, ({ bytes }) => isGlobalUnicast(bytes))],
    },
    {
      name: 'isIP',
      overloads: [globalOverload('is_ip', [stringType], boolType, (text) => succeeds(() => parseIp(text)))],
    },
    {
      name: 'string',
      overloads: [
        globalOverload('ip_to_string', [ipType], stringType, (ip) => formatAddress(ipOf(ip).bytes)),
        globalOverload('cidr_to_string', [cidrType], stringType, (value) => {
          const { bytes, prefixLength } = cidrOf(value);
          return `${formatAddress(bytes)}/${prefixLength}`;
        }),
      ],
    },
    { name: 'cidr', overloads: [globalOverload('string_to_cidr', [stringType], cidrType, parseCidr)] },
    {
      name: 'containsIP',
      overloads: [
        memberOverload('cidr_contains_ip_string', [cidrType, stringType], boolType, (cidr, text) => {
          // Upstream loses the error that the string is not an address.
          if (!succeeds(() => parseIp(text))) throw noSuchOverload();
          return cidrOf(cidr).contains(parseIp(text).bytes);
        }),
        memberOverload('cidr_contains_ip_ip', [cidrType, ipType], boolType, (cidr, ip) =>
          cidrOf(cidr).contains(ipOf(ip).bytes),
        ),
      ],
    },
    {
      name: 'containsCIDR',
      overloads: [
        memberOverload('cidr_contains_cidr_string', [cidrType, stringType], boolType, (cidr, text) =>
          covers(cidrOf(cidr), parseCidr(text)),
        ),
        memberOverload('cidr_contains_cidr', [cidrType, cidrType], boolType, (cidr, other) =>
          covers(cidrOf(cidr), cidrOf(other)),
        ),
      ],
    },
    {
      name: 'prefixLength',
      overloads: [memberOverload('cidr_prefix_length', [cidrType], intType, (cidr) => cidrOf(cidr).prefixLength)],
    },
    {
      name: 'masked',
      overloads: [
        memberOverload('cidr_masked', [cidrType], cidrType, (value) => {
          const { bytes, prefixLength } = cidrOf(value);
          return new CidrValue(mask(bytes, prefixLength), prefixLength);
        }),
      ],
    },
    {
      name: 'isCIDR',
      overloads: [globalOverload('is_cidr', [stringType], boolType, (text) => succeeds(() => parseCidr(text)))],
    },
  ],
};

function ofIp(id: string, result: CelType, read: (ip: IpValue) => CelValue): Overload {
  return memberOverload(`ip_${id}`, [ipType], result, (ip) => read(ipOf(ip)));
}

/** Parses an address without a zone, with upstream's error messages. */
function parseIp(value: CelValue | undefined): IpValue {
  const text = stringOf(value);
  const address = parseAddress(text);
  const shown = goQuote(text);
  if ('problem' in address) {
    throw new EvaluationFault(`IP Address ${shown} parse error during conversion from string: ${address.problem}`);
  }
  if (address.zone !== undefined) throw new EvaluationFault(`IP address ${shown} with zone value is not allowed`);
  if (isMapped(address.bytes)) throw new EvaluationFault(`IPv4-mapped IPv6 address ${shown} is not allowed`);
  return new IpValue(address.bytes);
}

function parseCidr(value: CelValue | undefined): CidrValue {
  const text = stringOf(value);
  const prefix = 'network address parse error during conversion from string: ';
  const fail = (problem: string) =>
    new EvaluationFault(`${prefix}${prefix}netip.ParsePrefix(${goQuote(text)}): ${problem}`);
  const slash = text.lastIndexOf('/');
  if (slash === -1) throw fail("no '/'");
  const address = parseAddress(text.slice(0, slash));
  if ('problem' in address) throw fail(address.problem);
  if (address.zone !== undefined) throw fail('IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d{0,17})$/.test(bits)) throw fail(`bad bits after slash: ${goQuote(bits)}`);
  if (Number(bits) > address.bytes.length * 8) throw fail('prefix length out of range');
  if (isMapped(address.bytes)) {
    throw new EvaluationFault(`${prefix}IPv4-mapped IPv6 address ${goQuote(text)} is not allowed`);
  }
  return new CidrValue(address.bytes, Number(bits));
}

function covers(outer: CidrValue, inner: CidrValue): boolean {
  return outer.prefixLength <= inner.prefixLength && outer.contains(inner.bytes);
}

function mask(bytes: readonly number[], length: number): number[] {
  return bytes.map((byte, i) => byte & (0xff00 >> Math.max(0, Math.min(8, length - 8 * i))) & 0xff);
}

function isMapped(bytes: readonly number[]): boolean {
  return bytes.length === 16 && bytes.every((byte, i) => i >= 12 || byte === (i < 10 ? 0 : 0xff));
}

function isLoopback(bytes: readonly number[]): boolean {
  if (bytes.length === 4) return bytes[0] === 127;
  return bytes.every((byte, i) => byte === (i === 15 ? 1 : 0));
}

function isLinkLocal([first = 0, second = 0, ...rest]: readonly number[]): boolean {
  return rest.length === 2 ? first === 169 && second === 254 : first === 0xfe && (second & 0xc0) === 0x80;
}

function isLinkLocalMulticast({ bytes: [first = 0, second = 0, ...rest] }: IpValue): boolean {
  return rest.length === 2 ? first === 224 && second === 0 && rest[0] === 0 : first === 0xff && (second & 0x0f) === 2;
}

function isGlobalUnicast(bytes: readonly number[]): boolean {
  const [first = 0] = bytes;
  const isMulticast = bytes.length === 4 ? (first & 0xf0) === 0xe0 : first === 0xff;
  const isBroadcast = bytes.length === 4 && bytes.every((byte) => byte === 255);
  const isUnspecified = bytes.every((byte) => byte === 0);
  return !isMulticast && !isBroadcast && !isUnspecified && !isLoopback(bytes) && !isLinkLocal(bytes);
}

function sameBytes(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch (error) {
    if (error instanceof EvaluationFault) return false;
    throw error;
  }
}

function ipOf(value: CelValue | undefined): IpValue {
  if (!(value instanceof IpValue)) throw noSuchOverload();
  return value;
}

function cidrOf(value: CelValue | undefined): CidrValue {
  if (!(value instanceof CidrValue)) throw noSuchOverload();
  return value;
}
