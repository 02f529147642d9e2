/** The places of files in projects: one table for the language server, the extension and the command line. */

/** The folders that other programs make, and that are never searched. */
const skippedFolders = ['node_modules', 'dist', 'build', 'out', 'target', 'vendor', 'coverage'];

/** Whether a folder is hidden, or other programs make it. */
export function isSkippedFolder(name: string): boolean {
  return name.startsWith('.') || skippedFolders.includes(name);
}

/** Files that say what tables there are: SQL, and the models of tools whose text is as certain. */
export function isSchemaFile(path: string): boolean {
  return /\.(?:sql|prisma)$|(?:^|\/)schema\.rb$/i.test(path);
}

/** The names under which configs are looked for; the content then decides. Paths are relative, with `/`. */
export function isConfigName(path: string): boolean {
  return /(?:^|\/)(?:(?:sync|powersync)[^/]*|service|powersync\/[^/]+)\.ya?ml$/i.test(path);
}

/** The name under which access tests are looked for. */
export function isTestName(path: string): boolean {
  return /(?:^|[/.])sync-test\.ya?ml$/i.test(path);
}

/** The names of sync configs as glob patterns. */
export const syncPatterns = ['**/{sync,powersync}*.{yaml,yml}', '**/powersync/*.{yaml,yml}'] as const;

/** The names of all configs and of access tests as glob patterns. */
export const configPatterns = [
  ...syncPatterns,
  '**/service.{yaml,yml}',
  '**/*.sync-test.{yaml,yml}',
] as const;

/** The names of sync configs, in the order in which they are looked for. */
export const syncConfigNames = [
  'sync-config',
  'sync',
  'sync-streams',
  'sync_streams',
  'sync-rules',
  'sync_rules',
].flatMap((name) => [`${name}.yaml`, `${name}.yml`]);
