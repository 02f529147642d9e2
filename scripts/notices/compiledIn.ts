/** Licences of the code that is compiled into the embedded database. Its package names only some of this code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../notices.ts';
import { root } from '../root.ts';

/** The names and versions reported by the WebAssembly and its extensions. */
const parts = [
  ['PostgreSQL', '18', 'PostgreSQL', 'postgresql.txt'],
  ['pgvector', '0.8.7', 'PostgreSQL', 'pgvector.txt'],
  ['ICU', '76', 'Unicode-3.0', 'icu.txt'],
  ['libxml2', '2', 'MIT', 'libxml2.txt'],
  ['zlib', '1.3.2', 'Zlib', 'zlib.txt'],
  ['OSSP uuid', '1.6.2', 'MIT', 'ossp-uuid.txt'],
  ['Emscripten and musl', '', 'MIT', 'emscripten.txt'],
] as const;

export function compiledIn(folder: string): readonly Notice[] {
  const notices = parts.map(([name, version, licence, file]) => ({
    name,
    version,
    licence,
    inside: [folder],
    texts: [readFileSync(join(root, 'scripts/notices', file), 'utf8')],
  }));
  return [...notices, openssl(folder)];
}

/** Returns the notice of OpenSSL, which has the same licence as the embedded database itself. */
function openssl(folder: string): Notice {
  const texts = ['Copyright (c) 1998-2026 The OpenSSL Project Authors\n', apache()];
  return { name: 'OpenSSL', version: '3', licence: 'Apache-2.0', inside: [folder], texts };
}

function apache(): string {
  return readFileSync(join(root, 'node_modules/@electric-sql/pglite/LICENSE'), 'utf8');
}
