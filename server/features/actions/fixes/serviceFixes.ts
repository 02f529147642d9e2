/** Fixes of service config settings that belong to another key. */
import type { Fixes } from '../fix.ts';
import { sure } from '../sqlEdits.ts';
import { entryNamed, insertingKey, mapIn, settingText, settingValue } from '../yamlEdits.ts';

export const serviceFixes: Fixes = {
  'service-supabase-off': ({ part, path }) => {
    const map = mapIn(path);
    const known = map && entryNamed(map, 'supabase');
    if (!map) return [];
    const edits = known ? settingValue(part, known.value, 'true') : insertingKey(part, map, 'supabase: true');
    return [{ title: 'Set supabase to true', edits }];
  },
  'service-ignored-sslmode': ({ part, path, finding: { args } }) => {
    const map = mapIn(path);
    const uri = map && entryNamed(map, 'uri')?.value;
    if (!map || uri?.kind !== 'scalar' || uri.tag !== undefined) return [];
    const [address = '', query = ''] = uri.text.split('?');
    const others = query.split('&').filter((one) => !one.startsWith('sslmode='));
    const text = others.length > 0 ? `${address}?${others.join('&')}` : address;
    const edits = [...settingText(part, uri, text), ...insertingKey(part, map, `sslmode: ${args.mode}`)];
    return [{ title: 'Make sslmode a key', edits, ...sure }];
  },
};
