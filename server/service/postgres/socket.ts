/** Connects to a server with TLS, and only to allowed addresses. */
import { lookup } from 'node:dns';
import { type LookupFunction, Socket } from 'node:net';
import { type ConnectionOptions, getCACertificates } from 'node:tls';
import type { TlsSettings } from '../config/settings.ts';
import { type AddressRules, addressRules } from '../ground/addresses.ts';

export class RejectedAddress extends Error {}

interface Destination {
  readonly hostname: string;
  readonly port: number;
  readonly rejectIpRanges: readonly string[];
}

/**
 * Returns a socket for `pg` that connects to the destination. It ignores the host that `pg` passes, which is only the name for
 * the certificate. Addresses are checked while they are resolved, so that a name cannot resolve to another address afterwards.
 */
export function openSocket(destination: Destination, signal?: AbortSignal): Socket {
  const socket = new Socket({ signal });
  const connect = socket.connect.bind(socket);
  const { hostname: host, port, rejectIpRanges } = destination;
  const rules = addressRules(rejectIpRanges);
  const options = { host, port, autoSelectFamily: true, lookup: guardedLookup(rules) };
  socket.connect = (() => {
    // A literal address is checked here, because it is not looked up.
    if (rules.rejectsHost(host)) socket.destroy(rejectionOf(host));
    else connect(options);
    return socket;
  }) as Socket['connect'];
  return socket;
}

function guardedLookup(rules: AddressRules): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const refused = addresses.find(({ address }) => rules.rejects(address));
      const [first] = addresses;
      if (refused !== undefined) return callback(rejectionOf(hostname), []);
      if (options.all || first === undefined) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}

function rejectionOf(host: string): RejectedAddress {
  return new RejectedAddress(
    `The address of "${host}" is in a range that the configuration rejects (reject_ip_ranges)`,
  );
}

/** Returns the TLS options for `pg`, which adds the name that the certificate is checked against. */
export function toTlsOptions(tls: TlsSettings): ConnectionOptions | false {
  if (tls.mode === 'disable') return false;
  return {
    ca: tls.ca ?? trustedRoots(),
    rejectUnauthorized: true,
    ...(tls.certificate !== undefined && { cert: tls.certificate }),
    ...(tls.privateKey !== undefined && { key: tls.privateKey }),
    ...(tls.mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  };
}

let certificates: string[] | undefined;

/** Returns the certificates of Node and of the operating system. Reading them takes a while, so they are cached. */
function trustedRoots(): string[] {
  certificates ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return certificates;
}
