/** The common parts of tests with other editors: a config, and the set-up from docs/EDITORS.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../house/imports.ts';

/** A config with something to report, to complete, to rename and to format. */
export const trialConfig = `config:
  edition: 3
streams:
  lists:
    query: select * from lists where owner_id = auth.user_id()
stremas: {}
`;

/** The command of the built program, which replaces the installed one. */
export const commandParts: readonly string[] = [process.execPath, join(root, 'dist/cli.js')];

/** Returns the first code block of the page in this language. */
export function blockOf(language: string): string {
  const page = readFileSync(join(root, 'docs/EDITORS.md'), 'utf8');
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '';
}
