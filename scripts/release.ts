/**
 * `npm run release -- v1.2.3`: checks whether this version may be published under the tag, and writes artifacts/release-notes.md.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

type Release =
  | { readonly kind: 'ready'; readonly notes: string }
  | { readonly kind: 'refused'; readonly sentence: string };

interface State {
  /** The version in package.json. */
  readonly version: string;
  /** The version in package-lock.json. */
  readonly lockedVersion: string;
  /** The version of the recorded bundle sizes. */
  readonly measuredVersion: string;
  readonly changelog: string;
}

export function releaseOf(tag: string | undefined, state: State): Release {
  const { version, lockedVersion, measuredVersion, changelog } = state;
  if (tag === undefined) return refuse('Which tag? Write npm run release -- v1.2.3.');
  if (tag !== `v${version}`) return refuse(`The tag is ${tag}, and package.json says ${version}.`);
  if (lockedVersion !== version)
    return refuse(`package-lock.json says ${lockedVersion}, and package.json ${version}: run npm install.`);
  if (measuredVersion !== version)
    return refuse(
      `scripts/bundles/lastRelease.json has the sizes of ${measuredVersion}: run npm run package -- --record.`,
    );
  const notes = notesOf(version, changelog);
  if (notes === '')
    return refuse(`CHANGELOG.md says nothing of ${version}, under a heading that begins with it.`);
  return { kind: 'ready', notes };
}

function refuse(sentence: string): Release {
  return { kind: 'refused', sentence };
}

/** Returns the text below `## 1.2.3 - 2026-01-31`. */
function notesOf(version: string, changelog: string): string {
  const sections = changelog.split(/^## /m);
  const own = sections.find((section) => section.split(/[\s,]/, 1)[0] === version);
  return own?.slice(own.indexOf('\n') + 1).trim() ?? '';
}

if (import.meta.main) {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const versionIn = (path: string): string => (JSON.parse(read(path)) as { version: string }).version;
  const release = releaseOf(process.argv[2], {
    version: versionIn('package.json'),
    lockedVersion: versionIn('package-lock.json'),
    measuredVersion: versionIn('scripts/bundles/lastRelease.json'),
    changelog: read('CHANGELOG.md'),
  });
  if (release.kind === 'refused') {
    console.error(release.sentence);
    process.exitCode = 1;
  } else {
    mkdirSync(join(root, 'artifacts'), { recursive: true });
    writeFileSync(join(root, 'artifacts/release-notes.md'), `${release.notes}\n`);
  }
}
