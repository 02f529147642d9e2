/** Names of configs are written down twice, for editors as patterns: both must say the same. */
import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { configPatterns, isConfigName, syncConfigNames } from '../../server/shared/places.ts';

test.each([
  ...syncConfigNames,
  ...['powersync.yaml', 'app/service.yml', 'powersync/other.yaml', 'a/powersync/b.yml', 'powersync/cli.yaml'],
  ...['cli.yaml', 'services.yaml', 'my-sync.yaml', 'sync.json', 'powersync/a/b.yaml', 'sync/config.yaml'],
])('%s', (path) => {
  expect(isConfigName(path)).toBe(configPatterns.some((pattern) => matchesGlob(path, pattern)));
});
