import { isIpv6 } from './address.ts';

/** What Go's net/url ParseRequestURI takes: an absolute URI, an absolute path or `*`. */
export function isRequestUri(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (text === '' || /[\x00-\x1f\x7f]/.test(text)) return false;
  if (text === '*') return true;
  if (text.startsWith(':')) return false;
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*(?=:)/.exec(text)?.[0] ?? '';
  const [rest = ''] = (scheme === '' ? text : text.slice(scheme.length + 1)).split('?', 1);
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return isEscaped(rest);
  const slash = rest.indexOf('/', 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  return isAuthority(scheme.toLowerCase(), authority) && isEscaped(slash < 0 ? '' : rest.slice(slash));
}

/** Every `%` begins an escape of two hexadecimal digits. */
function isEscaped(text: string): boolean {
  return !/%(?![0-9a-fA-F]{2})/.test(text);
}

function isAuthority(scheme: string, authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  return isHost(scheme, authority.slice(at + 1)) && isEscaped(user) && /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user);
}

function isHost(scheme: string, host: string): boolean {
  const open = host.lastIndexOf('[');
  if (open > 0) return false;
  if (open === 0) {
    const close = host.lastIndexOf(']');
    if (close < 0 || !isPort(host.slice(close + 1))) return false;
    const [address = '', ...zone] = host.slice(1, close).split('%25');
    return isIpv6(address) && (zone.length === 0 || (zone.join('') !== '' && isEscaped(zone.join('%25'))));
  }
  // Some databases list several hosts with ports; only http and https are held to one colon.
  const isWeb = scheme === 'http' || scheme === 'https';
  const colon = isWeb ? host.indexOf(':') : host.lastIndexOf(':');
  if (colon >= 0 && !isPort(host.slice(colon))) return false;
  const plain = host.replace(/%(?:25|[89a-fA-F][0-9a-fA-F])/g, '');
  return /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"\x80-\u{10ffff}]*$/u.test(plain);
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}
