/** Keys that services once read, or still read under another name. */
import type { Finding } from '../diagnostics.ts';
import { finding } from './finding.ts';
import type { ServiceConfig } from './places.ts';

export function checkOldKeys({ places }: ServiceConfig): Finding[] {
  return [...places.values()].flatMap(({ schema, name: key, keySpan }) => {
    if (schema.deprecated !== true) return [];
    const code = schema['x-ignored'] ? 'service-ignored-key' : 'service-deprecated-key';
    return [finding(code, keySpan, { key, advice: schema.deprecationMessage ?? '' })];
  });
}
