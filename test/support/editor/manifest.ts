/** The package.json as an editor shows it: keys of package.nls.json are replaced with their texts. */
import raw from '../../../package.json' with { type: 'json' };
import sentences from '../../../package.nls.json' with { type: 'json' };

const texts: Readonly<Record<string, string>> = sentences;

export const manifest = localized(raw) as typeof raw;

function localized(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^%([^%]+)%$/, (place, key) => texts[key] ?? place);
  if (Array.isArray(value)) return value.map(localized);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, localized(inner)]));
}
