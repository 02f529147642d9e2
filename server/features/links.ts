/** Links out of a file: to the sync config that a service loads, and to the pages of ignored codes. */
import { catalogue } from '../engine/diagnostics/diagnostics.ts';
import type { Analysis } from '../engine/index.ts';
import { placesAt, scalarText } from '../engine/service/places.ts';
import { compareSpans, type Span, span } from '../engine/text/span.ts';

export type FileLink = { readonly span: Span } & (
  | {
      readonly kind: 'file' /** A path relative to the folder of the config, or an absolute path. */;
      readonly path: string;
    }
  | { readonly kind: 'code'; readonly code: string }
);

/** Returns the links in reading order. */
export function links(analysis: Analysis): readonly FileLink[] {
  return [...fileLinks(analysis), ...codeLinks(analysis)].sort((a, b) => compareSpans(a.span, b.span));
}

function fileLinks({ service }: Analysis): FileLink[] {
  if (!service) return [];
  return ['/sync_config/path', '/sync_rules/path'].flatMap((form) =>
    placesAt(service, form).flatMap((place) => {
      const path = scalarText(place);
      return path === undefined || path === '' ? [] : [{ kind: 'file', path, span: place.span } as const];
    }),
  );
}

/** Returns links for the codes in comments such as `# headwater-ignore unknown-table, unused-join`. */
function codeLinks({ text, kind }: Analysis): FileLink[] {
  if (kind === 'foreign') return [];
  return [...text.matchAll(/(?:#|--) *headwater-ignore\b([^\r\n]*)/g)].flatMap(
    ({ index, 0: all, 1: list = '' }) =>
      [...list.matchAll(/[\w-]+/g)].flatMap(({ index: at, 0: code }): FileLink[] => {
        if (!Object.hasOwn(catalogue, code)) return [];
        const start = index + all.length - list.length + at;
        return [{ kind: 'code', code, span: span(start, start + code.length) }];
      }),
  );
}
