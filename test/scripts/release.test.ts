import { expect, test } from 'vitest';
import { releaseOf } from '../../scripts/release.ts';

const changelog = `# Changelog

## Unreleased

- Not yet.

## 1.2.3, 2026-11-21

- Something new.
- Something better.

## 1.2.2, 2026-11-20

- Something old.
`;
const state = { version: '1.2.3', lockedVersion: '1.2.3', measuredVersion: '1.2.3', changelog };

test('a tag of this version is published with its part of the changelog', () => {
  expect(releaseOf('v1.2.3', state)).toEqual({
    kind: 'ready',
    notes: '- Something new.\n- Something better.',
  });
});

test.each([
  [undefined, {}, 'Which tag? Write npm run release -- v1.2.3.'],
  ['v1.2.4', {}, 'The tag is v1.2.4, and package.json says 1.2.3.'],
  ['1.2.3', {}, 'The tag is 1.2.3, and package.json says 1.2.3.'],
  [
    'v1.2.3',
    { lockedVersion: '1.2.2' },
    'package-lock.json says 1.2.2, and package.json 1.2.3: run npm install.',
  ],
  [
    'v1.2.3',
    { measuredVersion: '1.2.2' },
    'scripts/bundles/lastRelease.json has the sizes of 1.2.2: run npm run package -- --record.',
  ],
  [
    'v1.2',
    { version: '1.2', lockedVersion: '1.2', measuredVersion: '1.2' },
    'CHANGELOG.md says nothing of 1.2, under a heading that begins with it.',
  ],
])('%s is refused with %j', (tag, changes, sentence) => {
  expect(releaseOf(tag, { ...state, ...changes })).toEqual({ kind: 'refused', sentence });
});
