import { networkInterfaces } from 'node:os';

/** An address of this machine, because a real server rejects loopback addresses of endpoints. */
export function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const found = addresses.find(({ family, internal }) => family === 'IPv4' && !internal);
  if (found === undefined) throw new Error('this machine has no address except loopback ones');
  return found.address;
}
