/** A folder with very many configs, or with very many tables. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectSchemaRequest } from '../../../server/protocol.ts';
import { milliseconds, percentile } from '../measure.ts';
import type { MeasuredServer } from './server.ts';
import { configOf } from './texts.ts';
import { typeLetter } from './typing.ts';

type Start = (folder: string) => Promise<MeasuredServer>;

/** The first search for a symbol, and the next one. */
export async function searchRows(start: Start): Promise<readonly string[][]> {
  return inFolder(async (folder) => {
    writeFileSync(join(folder, 'schema.sql'), tables(2_000, 'things'));
    const text = configOf(5).text;
    for (let index = 0; index < 1_000; index += 1) {
      mkdirSync(join(folder, `app-${index}`));
      writeFileSync(join(folder, `app-${index}`, 'sync.yaml'), text.replaceAll('stream_', `app_${index}_`));
    }
    const server = await start(pathToFileURL(folder).href);
    try {
      // Answered when the files of the folder are read: from then on the search finds all of them.
      await server.request(projectSchemaRequest, { folder: pathToFileURL(folder).href });
      const search = (query: string) => server.request('workspace/symbol', { query });
      const first = await timed(() => search('app_999_4'));
      const again = await timed(() => search('app_500'));
      return [
        ['first workspace/symbol', '42,800 ms', '< 1,000 ms', milliseconds(first)],
        ['the next one', '400 ms', '', milliseconds(again)],
      ];
    } finally {
      await server.stop();
    }
  });
}

/** Measures a keystroke if the source has very many tables. */
export async function tableRows(start: Start): Promise<readonly string[][]> {
  return inFolder(async (folder) => {
    const names = Array.from({ length: 50 }, (_, index) => `tasks_${index}`);
    writeFileSync(
      join(folder, 'schema.sql'),
      tables(10_000, 'things') + ['lists', ...names].map((name) => tableNamed(name)).join(''),
    );
    const text = configOf(100);
    const path = join(folder, 'sync.yaml');
    writeFileSync(path, text.text);
    const uri = pathToFileURL(path).href;
    const server = await start(pathToFileURL(folder).href);
    try {
      await server.open(uri, text.text);
      const textDocument = { uri };
      const times = new Map<string, number[]>();
      const note = async (name: string, ask: () => Promise<unknown>) =>
        times.set(name, [...(times.get(name) ?? []), await timed(ask)]);
      for (let round = 0; round < 48; round += 1) {
        const position = await typeLetter(server, text, round, uri);
        await note('keystroke to diagnostics', () => server.diagnosed(uri));
        await note('completion of a column', () =>
          server.request('textDocument/completion', { textDocument, position }),
        );
        const table = { line: text.line - 1, character: text.tableColumn };
        await note('completion of a table', () =>
          server.request('textDocument/completion', { textDocument, position: table }),
        );
        await note('hover on a table', () =>
          server.request('textDocument/hover', { textDocument, position: table }),
        );
      }
      return [...times].map(([name, all]) => {
        const counted = all.slice(8);
        return [name, milliseconds(percentile(counted, 50)), milliseconds(percentile(counted, 95))];
      });
    } finally {
      await server.stop();
    }
  });
}

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await ask();
  return performance.now() - start;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tables(count: number, name: string): string {
  return Array.from({ length: count }, (_, index) => tableNamed(`${name}_${index}`)).join('');
}

function tableNamed(name: string): string {
  return `CREATE TABLE ${name} (id uuid PRIMARY KEY, list_id uuid, owner_id uuid, name text, kind text);\n`;
}
