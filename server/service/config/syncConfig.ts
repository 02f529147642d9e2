/** Reads where the sync config comes from, unless it is deployed through the API. */
import { resolve } from 'node:path';
import { readBase64 } from './discover.ts';
import type { Section } from './section.ts';
import type { SyncConfigSettings } from './settings.ts';
import type { DecodeContext } from './surroundings.ts';

/** The environment variables. The second name is the older one. */
const variables = ['POWERSYNC_SYNC_CONFIG_B64', 'POWERSYNC_SYNC_RULES_B64'];

/** Base64 has precedence over a path, and a path over content. */
export function decodeSyncConfig(root: Section, around: DecodeContext): SyncConfigSettings | undefined {
  if (root.has('sync_config') && root.has('sync_rules'))
    root.refuse('`sync_rules` is only the older name of `sync_config`. Keep one of them.', {
      key: 'sync_rules',
    });
  const key = root.has('sync_config') ? 'sync_config' : 'sync_rules';
  const section = root.section(key);
  const exitOnError = section.flag('exit_on_error') !== false;
  const passed = passedIn(around);
  if (passed !== undefined) {
    const content = readBase64(passed.base64, passed.origin);
    return { origin: passed.origin, from: { content }, exitOnError };
  }
  const path = section.text('path');
  if (path) {
    const from = { path: resolve(around.folder, path) };
    return { origin: from.path, from, exitOnError };
  }
  const content = section.text('content');
  return content ? { origin: `\`${key}.content\``, from: { content }, exitOnError } : undefined;
}

function passedIn({ options, env }: DecodeContext): { base64: string; origin: string } | undefined {
  if (options.syncBase64) return { base64: options.syncBase64, origin: 'the sync config in Base64' };
  const name = variables.find((variable) => env[variable]);
  return name === undefined ? undefined : { base64: env[name] ?? '', origin: `the sync config in ${name}` };
}
