/** Which network addresses the service must not connect to: CIDR ranges, or `local` for all that is not public. */
import { BlockList, isIP } from 'node:net';

export interface AddressRules {
  readonly rejects: (address: string) => boolean;
}

/**
 * What is not public unicast, by the special-purpose registries of IANA:
 * https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry and multicast.
 */
const localRanges = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...[
    '::/128',
    '::1/128',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
  ],
  ...['3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'ff00::/8'],
];

/** Whether this can stand in a list of ranges. */
export function isRange(range: string): boolean {
  return range === 'local' || readRange(range) !== undefined;
}

/** Ranges that are none are left out. */
export function addressRules(ranges: readonly string[]): AddressRules {
  const list = new BlockList();
  for (const range of ranges.flatMap((name) => (name === 'local' ? localRanges : [name]))) {
    const parts = readRange(range);
    if (parts !== undefined) list.addSubnet(...parts);
  }
  return {
    rejects: (address) => {
      const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
      const version = isIP(plain);
      // An IPv4 address in the clothes of IPv6 leads to the same machine; BlockList knows that.
      return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
    },
  };
}

function readRange(range: string): [string, number, 'ipv4' | 'ipv6'] | undefined {
  const [address = '', bits, ...rest] = range.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return undefined;
  const widest = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  return prefix <= widest ? [address, prefix, version === 4 ? 'ipv4' : 'ipv6'] : undefined;
}

/** The host of a URL; of an IPv6 address without its brackets. */
export function literalHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
