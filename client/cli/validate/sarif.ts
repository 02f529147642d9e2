/** SARIF 2.1.0, which code scanning reads. */
import manifest from '../../../package.json' with { type: 'json' };
import { isCode, titleOf } from '../../../server/engine/index.ts';
import { readPath } from '../../../server/shared/uri.ts';
import type { CheckedFile, FoundDiagnostic } from './checkText.ts';

const levels = { error: 'error', warning: 'warning', hint: 'note' } as const;

export function sarifOf(files: readonly CheckedFile[]): object {
  const codes = new Set(files.flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code)));
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'headwater',
            version: manifest.version,
            rules: [...codes].sort().map(ruleOf),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: files.flatMap(resultsOf),
      },
    ],
  };
}

function ruleOf(id: string): object {
  const title = isCode(id) ? titleOf(id) : 'Problem reported by the service';
  return {
    id,
    shortDescription: { text: title },
    ...(isCode(id) && {
      help: { text: `${title}. Headwater's page docs/rules/${id}.md explains why, and how to correct it.` },
    }),
  };
}

/** Returns a path as a URI reference. A `#` or `?` in a name would otherwise end the path. */
function uriReferenceTo(path: string): string {
  return encodeURI(path).replaceAll(/[#?]/g, encodeURIComponent);
}

function resultsOf({ path, diagnostics }: CheckedFile): object[] {
  return diagnostics.map(({ severity, code, message, range }) => ({
    ruleId: code,
    level: levels[severity],
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriReferenceTo(readPath(path)) },
          // A result without a region is about the entire file. GitHub refuses results that name no file.
          ...(range && { region: regionOf(range) }),
        },
      },
    ],
  }));
}

function regionOf({ start, end }: FoundDiagnostic['range']): object {
  return {
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  };
}
