/** Checks the address of a database: its URI and the keys next to it. */

import type { Finding } from '../diagnostics/diagnostics.ts';
import { append } from '../ground/append.ts';
import { type Span, span } from '../text/span.ts';
import { sourceMap } from '../yaml/sourceMap.ts';
import { finding } from './finding.ts';
import { type ConfigPlace, joinPointer, placesAt, type ServiceReading, scalarText } from './places.ts';
import { type DatabaseUri, readUri } from './uri.ts';

/** The URI schemes of each type of database. The first one is shown as an example. */
const schemes: Readonly<Record<string, readonly string[]>> = {
  postgresql: ['postgresql', 'postgres'],
  mongodb: ['mongodb', 'mongodb+srv'],
  mysql: ['mysql'],
  mssql: ['mssql'],
};

export function checkDatabases(config: ServiceReading): Finding[] {
  const databases = [...placesAt(config, '/replication/connections/*'), ...placesAt(config, '/storage')];
  return databases.flatMap((database) => {
    const type = scalarText(config.places.get(joinPointer(database.pointer, 'type'))) ?? '';
    const known = Object.hasOwn(schemes, type) ? schemes[type] : undefined;
    if (known === undefined) return [];
    const written = config.places.get(joinPointer(database.pointer, 'uri'));
    // An empty URI counts as missing, because the keys next to it contain the address.
    const uri = type === 'postgresql' && scalarText(written) === '' ? undefined : written;
    const read = readUri(scalarText(uri) ?? '');
    return [
      ...(uri === undefined ? [] : checkUri(uri, read, known)),
      ...(type === 'postgresql' ? checkPostgres(config, database, uri, read) : []),
      ...(type === 'mssql' ? checkCertificates(config, database) : []),
    ];
  });
}

function checkUri(uri: ConfigPlace, read: DatabaseUri | undefined, known: readonly string[]): Finding[] {
  const text = scalarText(uri);
  if (text === undefined || (read !== undefined && known.includes(read.scheme))) return [];
  // A list of hosts has another form, and only MongoDB accepts one.
  if (known.includes('mongodb') && known.some((scheme) => text.startsWith(`${scheme}://`))) return [];
  return [
    finding('service-invalid-uri', uri.span, { key: uri.name, form: `${known[0]}://user@host/database` }),
  ];
}

/** The parts that services require, from a key or from the URI. */
const parts = [
  ['hostname', 'host name'],
  ['username', 'user name'],
  ['password', 'password'],
  ['database', 'database'],
] as const;

function checkPostgres(
  config: ServiceReading,
  database: ConfigPlace,
  uri: ConfigPlace | undefined,
  read: DatabaseUri | undefined,
): Finding[] {
  const findings: Finding[] = [];
  const key = (name: string): ConfigPlace | undefined =>
    config.places.get(joinPointer(database.pointer, name));
  if (uri !== undefined && read !== undefined) append(findings, checkPostgresUri(config, uri, read));
  if (uri === undefined || read !== undefined) {
    const [first, ...others] = parts
      .filter(([name]) => isEmpty(key(name)) && !read?.[name])
      .map(([, words]) => words);
    if (first !== undefined)
      findings.push(
        finding('service-incomplete-connection', uri?.span ?? database.keySpan, {
          missing: [first, ...others],
        }),
      );
  }
  const sslmode = key('sslmode');
  if (sslmode !== undefined && scalarText(sslmode) === 'verify-ca' && key('cacert') === undefined)
    findings.push(finding('service-missing-cacert', sslmode.span, {}));
  return findings;
}

function isEmpty(place: ConfigPlace | undefined): boolean {
  return place === undefined || scalarText(place) === '';
}

function checkPostgresUri(config: ServiceReading, uri: ConfigPlace, read: DatabaseUri): Finding[] {
  const findings: Finding[] = [];
  const port = Number(read.port || '5432');
  const isPossible = Number.isInteger(port) && port >= 1024 && port <= 65535;
  if (!isPossible && !config.places.has(sibling(uri, 'port')))
    findings.push(
      finding('service-out-of-range', within(config, uri, read.portSpan), {
        key: 'port',
        range: 'from 1024 to 65535',
      }),
    );
  if (read.sslmode !== undefined && !config.places.has(sibling(uri, 'sslmode')))
    findings.push(
      finding('service-ignored-sslmode', within(config, uri, read.sslmodeSpan), {
        mode: keyFor(read.sslmode),
      }),
    );
  return findings;
}

/** Returns the key for an `sslmode`. PostgreSQL's clients have more modes than services. */
function keyFor(sslmode: string): string {
  return sslmode === 'verify-ca' || sslmode === 'disable' ? sslmode : 'verify-full';
}

function sibling({ pointer }: ConfigPlace, name: string): string {
  return joinPointer(pointer.slice(0, pointer.lastIndexOf('/')), name);
}

function within({ text }: ServiceReading, { node, span: whole }: ConfigPlace, inValue: Span): Span {
  if (node.kind !== 'scalar') return whole;
  const { start, end } = sourceMap(text, node)(inValue);
  return end > start ? span(start, end) : whole;
}

function checkCertificates(config: ServiceReading, database: ConfigPlace): Finding[] {
  const trust = config.places.get(`${database.pointer}/additionalConfig/trustServerCertificate`);
  const isOn = trust?.node.kind === 'scalar' && trust.node.value === true;
  return isOn && config.places.has(`${database.pointer}/cacert`)
    ? [finding('service-cacert-unused', trust.span, {})]
    : [];
}
