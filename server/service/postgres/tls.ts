import { type ConnectionOptions, getCACertificates } from 'node:tls';
import type { TlsSettings } from '../config/settings.ts';

/** For `pg`, which adds the name that the certificate is checked against. */
export function toTlsOptions(tls: TlsSettings): ConnectionOptions | false {
  if (tls.mode === 'disable') return false;
  return {
    ca: tls.ca ?? trusted(),
    rejectUnauthorized: true,
    ...(tls.certificate !== undefined && { cert: tls.certificate }),
    ...(tls.privateKey !== undefined && { key: tls.privateKey }),
    ...(tls.mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
  };
}

let certificates: string[] | undefined;

/** Node's own and the operating system's. Reading the latter takes a while. */
function trusted(): string[] {
  certificates ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  return certificates;
}
