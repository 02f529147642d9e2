/** The host names under which browsers may show the console, and the pages from which it accepts calls. */
import { describe, expect, test } from 'vitest';
import { openConsoleHosts } from '../../../server/service/console/hosts.ts';

interface Case {
  readonly listen?: string;
  readonly hosts?: readonly string[];
  readonly host?: string;
  readonly origin?: string;
}

function foreignName({ listen = '127.0.0.1', hosts = [], ...headers }: Case): string | undefined {
  return openConsoleHosts({ host: listen, hosts }).foreignName({ headers });
}

describe('A service that only this machine can reach', () => {
  test.each([
    '127.0.0.1:8080',
    'localhost:8080',
    'LOCALHOST:8080',
    'headwater.localhost:8080',
    '[::1]:8080',
    '127.0.0.2',
    // Through a tunnel or a forwarded port.
    'localhost:9000',
  ])('is opened as %s', (host) => {
    expect(foreignName({ host })).toBeUndefined();
    expect(foreignName({ host, origin: `http://${host}` })).toBeUndefined();
  });

  test.each([
    'sync.example.com',
    'evil.example:8080',
    'localhost.evil.example:8080',
    '127.0.0.1.evil.example',
    'evil.example:8080@127.0.0.1',
    '127.0.0.1:8080@evil.example',
    '127.0.0.1/evil.example',
    'localhost:port',
    'nearby',
    '10.0.0.5:8080',
    '0.0.0.0:8080',
    '',
  ])('is not opened as %s', (host) => {
    expect(foreignName({ host })).toBe(host);
  });

  test('is not opened without a name', () => {
    expect(foreignName({})).toBe('');
  });
});

describe('A service that listens on', () => {
  test.each(['0.0.0.0', '::'])('%s is opened at every address, but at no name', (listen) => {
    for (const host of ['10.0.0.5:8080', '172.17.0.2', '[fe80::1]:8080', 'localhost:9000'])
      expect(foreignName({ listen, host }), host).toBeUndefined();
    expect(foreignName({ listen, host: 'sync.example.com' })).toBe('sync.example.com');
  });

  test.each([
    ['10.0.0.5', '10.0.0.5:8080'],
    ['fd00::5', '[fd00::5]:8080'],
    ['sync.internal', 'sync.internal:8080'],
  ])('%s is opened as %s, and not at another address', (listen, host) => {
    expect(foreignName({ listen, host })).toBeUndefined();
    expect(foreignName({ listen, host: '10.0.0.6:8080' })).toBe('10.0.0.6:8080');
  });
});

describe('A name in `console.hosts`', () => {
  const proxied = { hosts: ['sync.example.com', 'other.example.com:8443', 'Grün.example'] };

  test.each(['sync.example.com', 'SYNC.example.com:443', 'sync.example.com:80', 'sync.example.com:9000'])(
    'without a port is accepted as %s',
    (host) => {
      expect(foreignName({ ...proxied, host })).toBeUndefined();
    },
  );

  test('with a port is accepted only with this port', () => {
    expect(foreignName({ ...proxied, host: 'other.example.com:8443' })).toBeUndefined();
    expect(foreignName({ ...proxied, host: 'other.example.com' })).toBe('other.example.com');
  });

  test('may have any letters, which browsers send in encoded form', () => {
    expect(foreignName({ ...proxied, host: 'xn--grn-ioa.example' })).toBeUndefined();
  });

  test('is not a pattern, and does not include its subdomains', () => {
    expect(foreignName({ ...proxied, host: 'a.sync.example.com' })).toBe('a.sync.example.com');
  });
});

describe('A page', () => {
  const host = '127.0.0.1:8080';

  test.each([
    ['another port of this machine', 'http://127.0.0.1:9000', '127.0.0.1:9000'],
    ['another name of this machine', 'http://localhost:8080', 'localhost:8080'],
    ['a site', 'https://evil.example', 'evil.example'],
    ['a sandbox', 'null', 'null'],
    ['an app', 'capacitor://localhost', 'capacitor://localhost'],
    ['a file', 'file://', 'file://'],
  ])('of %s is not a page of the console', (_, origin, name) => {
    expect(foreignName({ host, origin })).toBe(name);
  });

  test('may be behind a proxy that replaces the host, if its own name is listed', () => {
    const hosts = ['sync.example.com', 'other.example.com:8443'];
    expect(foreignName({ hosts, host, origin: 'https://sync.example.com' })).toBeUndefined();
    expect(foreignName({ hosts, host, origin: 'https://other.example.com:8443' })).toBeUndefined();
    expect(foreignName({ hosts, host, origin: 'https://sync.example.com:9000' })).toBe(
      'sync.example.com:9000',
    );
  });

  test('behind a proxy that ends TLS has the same name as the host, with or without the usual port', () => {
    const hosts = ['sync.example.com'];
    for (const named of ['sync.example.com', 'sync.example.com:443', 'sync.example.com:80'])
      expect(foreignName({ hosts, host: named, origin: 'https://sync.example.com' }), named).toBeUndefined();
  });
});
