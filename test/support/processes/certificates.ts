/** Certificates for tests of TLS, which are created with the `openssl` program. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificates {
  /** The certificate of the authority that has signed the other certificates. */
  readonly ca: string;
  /** Valid only for the host `localhost`. */
  readonly server: KeyPair;
  readonly client: KeyPair;
}

export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Creates certificates. Returns undefined if `openssl` is missing or fails. */
export function makeCertificates(client: string): Certificates | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-tls-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const issue = (name: string, subject: string, extension: string): KeyPair => {
    writeFileSync(join(folder, `${name}.ext`), extension);
    openssl('req', ...newKey, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${subject}`);
    openssl(
      ...['x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-days', '2', '-extfile', `${name}.ext`, '-out', `${name}.crt`],
    );
    return { certificate: read(`${name}.crt`), key: read(`${name}.key`) };
  };
  try {
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
      '-days',
      '2',
      '-subj',
      '/CN=Test CA',
    );
    return {
      ca: read('ca.crt'),
      server: issue('server', 'localhost', 'subjectAltName=DNS:localhost'),
      client: issue('client', client, 'extendedKeyUsage=clientAuth'),
    };
  } catch {
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
