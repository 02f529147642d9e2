/** Files whose readers do not name them: patterns of paths relative to the root, with the tests that read the files. */
type Readers = Readonly<Record<string, readonly string[]>>;

const everything = ['test/**'];

export const hiddenReaders: Readers = {
  '{package-lock.json,tsconfig.json,vitest.config.mts}': everything,
  'scripts/{bootstrap.mjs,generate.ts}': everything,
  'test/support/house/{generated,noSockets,share}.ts': everything,
  'vitest.live.config.mts': ['test/**/*.live.test.ts'],
  'vitest.windows.config.mts': ['test/windows/**'],
  // The package.json contains the scope names and paths.
  'syntaxes/**': ['test/{manifest,syntaxes/*}.test.ts', 'test/{e2e,web,integration}/**'],
  '{images,walkthrough}/**': ['test/{docs,manifest}.test.ts', 'test/docs/words.test.ts'],
  '{Dockerfile,.dockerignore}': ['test/container{,.live}.test.ts'],
  '.{npm,vscode}ignore': ['test/{manifest,package.live}.test.ts'],
  // Pages name tests that must exist.
  'test/**/*.test.ts': ['test/{docs,features}.test.ts'],
  // The rigs run the package.
  '{client,l10n,schemas,server}/**': ['test/{e2e,integration,web,windows}/**'],
  '{package.json,package.nls*.json,scripts/{rigs,windows}/**}': ['test/{e2e,integration,web,windows}/**'],
};
