/** Loaded with the first address, because loading takes 4 ms. */
const net = (): typeof import('node:net') => process.getBuiltinModule('node:net');

/** An IPv4 address, with the leading zeros of Go before 1.17, or one embedded in an IPv6 address. */
export function isIpv4(text: string): boolean {
  return text.includes('.') && isIpSloppy(text);
}

/** An IPv6 address without a zone. */
export function isIpv6(text: string): boolean {
  return !text.includes('%') && net().isIPv6(text);
}

/** An address and the length of its prefix; bits after the prefix may be set. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  const address = text.slice(0, slash);
  const length = text.slice(slash + 1);
  if (slash < 0 || !isIpSloppy(address) || !/^\d+$/.test(length)) return false;
  return Number(length) <= (address.includes(':') ? 128 : 32);
}

/** Like k8s.io/utils/net ParseIPSloppy: leading zeros of a group are ignored. */
function isIpSloppy(text: string): boolean {
  const normal = text.replace(/(^|[.:])0+(?=[0-9a-fA-F])/g, '$1');
  return net().isIPv4(normal) || isIpv6(normal);
}

/** EUI-48, EUI-64 or a 20-octet InfiniBand address, with colons, dashes, dots between pairs of octets, or no separators. */
export function isMac(text: string): boolean {
  return [6, 8, 20].some((octets) =>
    [
      new RegExp(`^[0-9a-f]{2}(?::[0-9a-f]{2}){${octets - 1}}$`, 'i'),
      new RegExp(`^[0-9a-f]{2}(?:-[0-9a-f]{2}){${octets - 1}}$`, 'i'),
      new RegExp(`^[0-9a-f]{4}(?:\\.[0-9a-f]{4}){${octets / 2 - 1}}$`, 'i'),
      new RegExp(`^[0-9a-f]{${octets * 2}}$`, 'i'),
    ].some((form) => form.test(text)),
  );
}
