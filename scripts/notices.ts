/**
 * Finds the packages in `dist/`, using esbuild's report of each bundle, and their licences. `npm run build` writes the licence
 * texts to `dist/THIRD-PARTY-NOTICES.txt`, which every package contains.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { database } from './bundles/bundles.ts';
import { compiledIn } from './notices/compiledIn.ts';
import { isPermissive } from './notices/licences.ts';
import { root } from './root.ts';

export const noticesFile = 'THIRD-PARTY-NOTICES.txt';

/** The contents of one bundle. */
export interface Contents {
  readonly out: string;
  readonly metafile: Metafile;
}

export interface Notice {
  readonly name: string;
  readonly version: string;
  /** The licence as an SPDX expression. */
  readonly licence: string;
  /** The files in `dist/` that contain the package. */
  readonly inside: readonly string[];
  readonly texts: readonly string[];
}

/** Throws if a licence is not permissive, or if its text is missing, because such a package must not be published. */
export function noticesOf(contents: readonly Contents[]): readonly Notice[] {
  const ofDatabase = database.packages.map((name) => [`node_modules/${name}`, [`${database.to}/`]] as const);
  const packages = [...packagesIn(contents), ...ofDatabase].map(readPackage);
  const notices = [...packages, ...compiledIn(`${database.to}/`)];
  for (const { name, licence, texts } of notices) {
    if (!isPermissive(licence))
      throw new Error(
        `${name} is in a bundle, and its licence is ${licence}: see scripts/notices/licences.ts.`,
      );
    if (texts.length === 0) throw new Error(`${name} is in a bundle, and brings no text of its licence.`);
  }
  return notices.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function textOf(notices: readonly Notice[]): string {
  const line = '-'.repeat(80);
  const parts = notices.map(({ name, version, licence, inside, texts }) =>
    [line, `${name} ${version} (${licence})`, `In: ${inside.join(', ')}`, line, '', ...texts].join('\n'),
  );
  return `${head}\n${parts.join('\n')}`;
}

const head =
  'Headwater contains the work of others. These are their names, their versions and their licences.\n';

const packageFolder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//;

/** Returns the folders of packages of which at least one byte is in a bundle, with the bundles that contain them. */
function packagesIn(contents: readonly Contents[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { out, metafile } of contents) {
    const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
    const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
    for (const folder of new Set(used.flatMap((path) => packageFolder.exec(path)?.[1] ?? []))) {
      found.set(folder, [...(found.get(folder) ?? []), out]);
    }
  }
  return found;
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

function readPackage([folder, inside]: readonly [string, readonly string[]]): Notice {
  const path = join(root, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;
  return { name, version, licence: license ?? 'none', inside, texts: licenceTexts(path) };
}

const licenceFile = /^(licen[cs]e|copying|notice|third-?party-?notices)(\.(md|txt))?$/i;

/** Returns the licence texts. If a package has no licence file, returns the section of its README with that heading. */
function licenceTexts(folder: string): readonly string[] {
  const names = readdirSync(folder);
  const files = names.filter((name) => licenceFile.test(name));
  const read = (name: string) =>
    `${readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim()}\n`;
  if (files.length > 0) return files.map(read);
  return names.filter((name) => /^readme/i.test(name)).flatMap((name) => underLicence(read(name)));
}

function underLicence(readme: string): readonly string[] {
  const [, behind] = readme.split(/^#+ *licen[cs]e *$/im);
  const section = behind?.split(/^#/m)[0]?.trim();
  if (section === undefined) return [];
  if (section.includes('Permission is hereby granted')) return [`${section}\n`];
  return [`${section}\n`, readFileSync(join(root, 'scripts/notices/mit.txt'), 'utf8')];
}
