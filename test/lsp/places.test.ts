/** The names of configs are defined twice, the second time as patterns for editors. Both must agree. */
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
