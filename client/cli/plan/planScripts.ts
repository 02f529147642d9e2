/** Predicts what SQL files will cause to be copied again, before they are run: `headwater dev --plan`. */
import { analyze, patternsReadBy } from '../../../server/engine/index.ts';
import type { Rehearsal, RehearsedTable, Remark } from '../../../server/shared/rehearsal.ts';
import type { TableStatus } from '../../api/answers.ts';
import { ApiFailure } from '../../api/failure.ts';
import { harmless, type Paint } from '../colours.ts';
import type { Answer, Call } from '../command.ts';
import { CliFailure } from '../failure.ts';
import { withService } from '../instance.ts';
import { findSchemaFiles } from '../project/schemaFiles.ts';
import { nameIn, rootAround, schemaPathsIn } from '../project/scriptPaths.ts';
import { readSyncText } from '../project/syncConfig.ts';
import { readText } from '../read.ts';
import type { World } from '../world.ts';

type PlanCall = Pick<Call<'service'>, 'has' | 'paint' | 'progress' | 'text' | 'world'>;

/** @param paths the SQL files, in the order in which they run */
export async function planScripts(call: PlanCall, file: string, paths: readonly string[]): Promise<Answer> {
  const { world, paint, progress } = call;
  const { config } = analyze(await readSyncText(file, world.files), { kind: 'sync', fileName: file });
  if (config === undefined) throw new CliFailure(`${file} is not a sync config.`);
  progress.show('Running the SQL files in a temporary database …');
  const rehearsal = await rehearseFiles(paths, { config, file }, world);
  const rows = await countRows(call, rehearsal.tables);
  progress.end();
  const tables = rehearsal.tables.map((table) => ({ ...table, ...rows.of(table) }));
  const isComplete =
    tables.every(({ outcome }) => outcome !== 'unknown') &&
    rehearsal.remarks.every(({ kind }) => kind !== 'not run');
  return {
    code: isComplete ? 0 : 1,
    json: { tables, remarks: rehearsal.remarks, ...(rows.unknown && { rowsUnknown: rows.unknown }) },
    lines: [
      ...tables.toSorted(byOutcome).map((table) => tableLine(table, paint)),
      ...rehearsal.remarks.map((remark) => remarkLine(remark, paint)),
    ],
    advice: [
      aboutRows,
      ...(rows.unknown === undefined ? [] : [`The numbers of rows are unknown: ${rows.unknown}`]),
    ],
  };
}

const aboutRows =
  'The temporary database has no rows, so it is unknown whether existing rows fit new constraints and types.';

interface Subject {
  readonly config: Parameters<typeof patternsReadBy>[0];
  /** The path of the sync config. */
  readonly file: string;
}

async function rehearseFiles(
  paths: readonly string[],
  { config, file }: Subject,
  world: World,
): Promise<Rehearsal> {
  if (world.rehearse === undefined) throw new CliFailure('No database can be started here.');
  const root = rootAround(file, world);
  const pending = [];
  for (const path of paths) {
    if (!/\.sql$/i.test(path)) throw new CliFailure(`--plan takes SQL files, and ${path} is not one.`);
    pending.push({ name: nameIn(root, path, world), text: await readText(path, world.files) });
  }
  const found = await findSchemaFiles(config, file, world);
  const schema = schemaPathsIn(root, found.paths, world);
  const answer = await world.rehearse({ schema, pending, patterns: patternsReadBy(config) }, world.signal);
  if (answer.kind === 'failed') throw new CliFailure(`There is no prediction: ${answer.reason}`);
  return answer;
}

interface RowCounts {
  readonly of: (table: RehearsedTable) => { readonly rows?: number };
  /** The reason why the numbers are unknown. */
  readonly unknown?: string;
}

/** Asks the service for the numbers of rows, if a table is copied again. */
async function countRows(call: PlanCall, tables: readonly RehearsedTable[]): Promise<RowCounts> {
  const { world, has, progress } = call;
  const isCopied = ({ outcome }: RehearsedTable): boolean => outcome === 'copied again';
  if (!tables.some(isCopied)) return { of: () => ({}) };
  try {
    const text = (option: 'service' | 'directory') => (option === 'service' ? call.text(option) : undefined);
    const asked = { text, has, world, progress };
    const { active } = await withService(asked, (api) => api.diagnose({ buckets: true }, world.signal));
    if (active === undefined) return { of: () => ({}), unknown: 'the service has no active sync config.' };
    return {
      of: (table) => {
        const status = active.tables.find(
          ({ schema, name }) => schema === table.schema && name === table.name,
        );
        const rows = isCopied(table) && status !== undefined ? rowsIn(status) : undefined;
        return rows === undefined ? {} : { rows };
      },
    };
  } catch (error) {
    if (!(error instanceof CliFailure || error instanceof ApiFailure)) throw error;
    return { of: () => ({}), unknown: error.message };
  }
}

/**
 * Returns the larger number, because some rows of the source are not stored. The estimate is from the first copy, so it says
 * nothing by itself: the table may have been empty then.
 */
function rowsIn({ storedRows, estimatedRows = 0 }: TableStatus): number | undefined {
  const rows = storedRows === undefined ? 0 : Math.max(storedRows, estimatedRows);
  return rows === 0 ? undefined : rows;
}

type PlannedTable = RehearsedTable & { readonly rows?: number };

const order = ['copied again', 'new', 'gone', 'unknown', 'nothing'] as const;

function byOutcome(one: PlannedTable, other: PlannedTable): number {
  return order.indexOf(one.outcome) - order.indexOf(other.outcome);
}

function tableLine(table: PlannedTable, { green, yellow, red }: Paint): string {
  const { schema, name, reason = '' } = table;
  const because = reason === '' ? '' : `, because ${harmless(reason)}`;
  const rest = because.replace(/\.$/, '');
  const full = harmless(`${schema}.${name}`);
  switch (table.outcome) {
    case 'copied again':
      return `${full}: ${yellow('copied again')}, ${amountOf(table)}${rest}`;
    case 'new':
      return `${full}: ${green('new')}, copied for the first time`;
    case 'nothing':
      return `${full}: ${green('nothing to do')}`;
    case 'gone':
      return `${full}: ${red('no longer exists')}, so the config reads a missing table, and clients lose its rows`;
    case 'unknown':
      return `${full}: ${yellow('unknown')}${rest}`;
  }
}

function amountOf({ rows }: PlannedTable): string {
  if (rows === undefined) return 'an unknown number of rows';
  return `about ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
}

function remarkLine(remark: Remark, { yellow }: Paint): string {
  const { script, line, lastLine, statements = 1, kind, message } = remark;
  const place = harmless(`${script}:${line}${lastLine === undefined ? '' : `-${lastLine}`}`);
  switch (kind) {
    case 'not run':
      return `${place}: ${yellow('could not be judged')}: ${harmless(message ?? 'it was not run.')}`;
    case 'rows':
      if (statements > 1)
        return `${place}: ${statements.toLocaleString('en')} statements change rows, which are sent individually as usual. Their number is unknown.`;
      return `${place}: changes rows, which are sent individually as usual. Their number is unknown.`;
    case 'code':
      return `${place}: runs code, which may act differently on the rows of the real database.`;
    case 'publishing':
      return `${place}: changes a publication. A PostgreSQL server's tables are copied again if they are published differently.`;
  }
}
