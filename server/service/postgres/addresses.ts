/** Addresses that a config forbids to connect to: `10.0.0.0/8`, `fd00::/8`, a single address, or `local`. */
import { BlockList, isIP } from 'node:net';

export type IsRejected = (address: string) => boolean;

/** All that is not public unicast. */
const local = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/128', '::1/128', '64:ff9b::/96', '100::/64', '2001::/23', '2001:db8::/32', '2002::/16', 'fc00::/7'],
  ...['fe80::/10', 'fec0::/10', 'ff00::/8'],
];

/** Undefined: this is no range. */
export function parseRange(
  text: string,
): { readonly address: string; readonly bits: number; readonly family: Family } | undefined {
  const [address = '', length] = text.split('/');
  const version = isIP(address);
  if (version === 0) return undefined;
  const most = version === 4 ? 32 : 128;
  const bits = length === undefined ? most : Number(length);
  if (!/^\d+$/.test(length ?? '0') || bits > most) return undefined;
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' };
}

type Family = 'ipv4' | 'ipv6';

/** Ranges that cannot be read reject everything: an unreadable lock must not open the door. */
export function toIsRejected(ranges: readonly string[]): IsRejected {
  const list = new BlockList();
  for (const text of ranges.flatMap((range) => (range === 'local' ? local : [range]))) {
    const range = parseRange(text);
    if (range === undefined) return () => true;
    list.addSubnet(range.address, range.bits, range.family);
  }
  // An IPv4 address in IPv6 clothes, ::ffff:10.0.0.1, is found among the ranges of IPv4.
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
