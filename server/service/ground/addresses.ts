/**
 * Network addresses: the ones that the service must not connect to (CIDR ranges, or `local` for all addresses that are not
 * public), and listening on an address.
 */
import { BlockList, isIP, type Server } from 'node:net';

export interface AddressRules {
  /** Whether the address is in one of the ranges. If there is any range, a text that is not an address is also rejected. */
  readonly rejects: (address: string) => boolean;
  /** The same for an address or a name. Names are accepted, because their addresses are checked when they are resolved. */
  readonly rejectsHost: (host: string) => boolean;
}

/**
 * All addresses except public unicast, from the special-purpose registries of IANA:
 * https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry and multicast.
 * `fec0::/10` is no longer in the registry, but some networks still route it as local (RFC 3879).
 */
const localRanges = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['::/128', '::1/128', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32'],
  ...['2002::/16', '3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
];

/** Whether a list of ranges may contain this text. */
export function isRange(range: string): boolean {
  return range === 'local' || readRange(range) !== undefined;
}

/**
 * Returns the rules for these ranges. An unreadable range rejects every address, because a typing error must not allow anything.
 */
export function addressRules(ranges: readonly string[]): AddressRules {
  const list = new BlockList();
  let isUnreadable = false;
  for (const range of ranges.flatMap((name) => (name === 'local' ? localRanges : [name]))) {
    const parts = readRange(range);
    if (parts === undefined) isUnreadable = true;
    else list.addSubnet(...parts);
  }
  const rejects = (address: string): boolean => {
    const plain = plainAddress(address);
    const version = isIP(plain);
    if (isUnreadable || version === 0) return ranges.length > 0;
    // BlockList finds ::ffff:10.0.0.1 in the IPv4 ranges, because it reaches the same machine.
    return list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
  };
  return { rejects, rejectsHost: (host) => isIP(plainAddress(host)) !== 0 && rejects(host) };
}

/** Returns the address without the brackets of a URL and the zone of a link-local address. */
function plainAddress(address: string): string {
  return address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
}

function readRange(range: string): [string, number, 'ipv4' | 'ipv6'] | undefined {
  const [address = '', bits, ...rest] = range.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return undefined;
  const widest = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  return prefix <= widest ? [address, prefix, version === 4 ? 'ipv4' : 'ipv6'] : undefined;
}

/** Returns the host of a URL. An IPv6 address has no brackets. */
export function literalHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

interface ListeningPlace {
  readonly host: string;
  readonly port: number;
  /** Whether the port is only a default, so that another port may be used instead. */
  readonly isProposed?: boolean;
  /** The config key for the port. */
  readonly key: string;
}

/** The number of ports that are tried, starting with the proposed one, before any free port is used. */
const mostTried = 10;

/**
 * Listens, or rejects with an explanation. A proposed port may be in use although it was free before, because other programs look
 * for ports at the same time. Only an attempt to listen shows if it is free.
 *
 * @param mostQueued the number of connections that wait to be accepted; absent: Node's default
 */
export async function listenAt(server: Server, place: ListeningPlace, mostQueued?: number): Promise<void> {
  for (const port of portsOf(place)) {
    const failure = await attempt(server, { ...place, port }, mostQueued);
    if (failure === undefined) return;
    const isTaken = failure.code === 'EADDRINUSE' || failure.code === 'EACCES';
    if (!isTaken || !place.isProposed || port === 0)
      throw new Error(explainListening(failure, { ...place, port }), { cause: failure });
  }
}

function portsOf({ port, isProposed }: ListeningPlace): readonly number[] {
  if (!isProposed) return [port];
  const next = Array.from({ length: mostTried }, (_, index) => port + index);
  return [...next.filter((each) => each <= 65_535), 0];
}

function attempt(
  server: Server,
  { port, host }: ListeningPlace,
  mostQueued: number | undefined,
): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    server.once('error', resolve);
    server.listen(port, host, mostQueued, () => resolve(undefined));
  });
}

/** Explains why the service cannot listen there, and what to do. */
export function explainListening(
  { code }: NodeJS.ErrnoException,
  { host, port, key }: ListeningPlace,
  platform: NodeJS.Platform = process.platform,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken by another program. Stop that one, or choose another \`${key}\`.`;
    case 'EACCES':
      return platform === 'win32'
        ? `Windows keeps port ${port} for something else: \`netsh interface ipv4 show excludedportrange tcp\` lists such ports. Choose another \`${key}\`.`
        : `This user may not listen on port ${port}. Choose a \`${key}\` from 1024 on.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Choose another \`host\`.`;
    default:
      return `The service cannot listen on port ${port} of ${host} (${code}).`;
  }
}
