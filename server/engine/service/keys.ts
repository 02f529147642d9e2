/** Reports keys that services no longer read, or read under another name. */
import type { Finding } from '../diagnostics/diagnostics.ts';
import { finding } from './finding.ts';
import type { ServiceReading } from './places.ts';

export function checkOldKeys({ places }: ServiceReading): Finding[] {
  return [...places.values()].flatMap(({ schema, name: key, keySpan }) => {
    if (schema.deprecated !== true) return [];
    const code = schema['x-ignored'] ? 'service-ignored-key' : 'service-deprecated-key';
    return [finding(code, keySpan, { key, advice: schema.deprecationMessage ?? '' })];
  });
}
