import type { Api } from '../../api/api.ts';
import { nameAtStart, type SentConfig } from '../../api/deployedConfig.ts';
import type { Verification, VerifiedTable } from '../../api/reports/verification.ts';
import { harmless, type Paint } from '../colours.ts';
import { type Answer, type Call, command } from '../command.ts';
import { answerOf, untilActive, waitOptions } from '../deployment.ts';
import { CliFailure } from '../failure.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';

export const verify = command({
  name: 'verify',
  summary: 'Compare the rows that a service has stored with its source',
  about: `Compares every row of the source with the rows stored for clients, table by table, while replication continues. A row can
be missing, stale (its values or buckets differ) or extra (it is not in the source). Rows that change during the
comparison are not checked.

The definition of each table is also compared with the one with which its rows were copied. A column may have been given another
type, or have been dropped, renamed or added with a value for existing rows.

With --repair, wrong rows are read from the source and written again, and a table whose definition has changed is copied again. If
the stored history itself is corrupt, everything is copied again, and the intact part of the old copy is served until the new
one is complete.

Exit code 0: everything matches the source, or was repaired; 1: something does not match, or a table was not compared; 2: the
service did not answer, or a new copy was not active in time.

${aboutToken}`,
  options: {
    ...instanceOptions,
    repair: { summary: 'Repair the problems that are found' },
    ...waitOptions,
  },
  examples: ['verify', 'verify --repair', 'verify --json'],
  run: (call) => withService(call, (api) => compare(call, api)),
});

async function compare(call: Call<'repair' | 'no-wait' | 'timeout'>, api: Api): Promise<Answer> {
  const verification = await untilDone(call, api);
  const { newSlot, newConfigNumber, failure } = verification;
  const lines = [...linesOf(verification, call.paint)];
  if (failure !== undefined) throw new CliFailure(`The comparison failed: ${failure}`);
  if (newSlot !== undefined) {
    const number = newConfigNumber === undefined ? {} : { configNumber: newConfigNumber };
    return copiedAnew(call, api, {
      verification,
      copied: { slot: newSlot, ...number, isCopiedAgain: true },
      lines,
    });
  }
  const { damaged, tables } = verification;
  const isRight = damaged.length === 0 && tables.every(isWell);
  const advice = isRight || call.has('repair') ? [] : ['To repair it, run `headwater verify --repair`.'];
  const isComplete = tables.every(({ skipped }) => skipped === undefined);
  return { code: isRight && isComplete ? 0 : 1, json: verification, lines, advice };
}

/** Milliseconds between two requests for the state. */
const lookEvery = 300;

async function untilDone({ has, world, progress }: Call<'repair'>, api: Api): Promise<Verification> {
  let latest = await api.verify(has('repair') ? 'repair' : 'only compare', world.signal);
  while (!latest.isDone) {
    progress.show(
      `Comparing: ${latest.tables.length} ${latest.tables.length === 1 ? 'table' : 'tables'} done …`,
    );
    await world.pause(lookEvery);
    latest = await api.verification(latest.id, world.signal);
  }
  return latest;
}

async function copiedAnew(
  { has, number, world, progress }: Call<'no-wait' | 'timeout'>,
  api: Api,
  {
    verification,
    copied,
    lines,
  }: { verification: Verification; copied: SentConfig; lines: readonly string[] },
): Promise<Answer> {
  if (has('no-wait'))
    return {
      code: 0,
      json: verification,
      lines: [...lines, `${nameAtStart(copied)} is being copied again.`],
    };
  const timeout = number('timeout') ?? 300;
  progress.show(`${nameAtStart(copied)} is being copied again …`);
  const outcome = answerOf(await untilActive(api, copied, { world, progress, timeout }), timeout);
  return { ...outcome, json: verification, lines: [...lines, ...(outcome.lines ?? [])] };
}

function isWell(verified: VerifiedTable): boolean {
  const { missing, stale, extra, repaired, more, definitionChanges, isCopiedAgain } = verified;
  if (definitionChanges.length > 0) return isCopiedAgain;
  return missing + stale + extra <= repaired && more === 0;
}

function* linesOf({ tables, damaged }: Verification, paint: Paint): Generator<string> {
  for (const table of tables) yield* tableLines(table, paint);
  if (tables.length === 0 && damaged.length === 0) yield 'No tables are replicated.';
  for (const what of damaged) yield paint.red(`Corrupt: ${harmless(what)}`);
}

function* tableLines(verified: VerifiedTable, { green, red, yellow }: Paint): Generator<string> {
  const { table, rows, stored, missing, stale, extra, unjudged, repaired, more, examples, skipped } =
    verified;
  const { definitionChanges, isCopiedAgain } = verified;
  const name = harmless(table);
  if (skipped !== undefined) {
    yield `${name}: ${yellow('not compared')}, because ${harmless(skipped)}`;
    return;
  }
  const found = [
    ...(missing > 0 ? [`${missing} missing`] : []),
    ...(stale > 0 ? [`${stale} stale`] : []),
    ...(extra > 0 ? [`${extra} extra`] : []),
  ];
  const isSame = found.length === 0 && definitionChanges.length === 0;
  const state = isSame ? green('no differences') : red(found.join(', ') || 'rows may differ');
  const besides = [
    ...(unjudged > 0 ? [`${unjudged} not checked`] : []),
    ...(repaired > 0 ? [`${repaired} repaired`] : []),
    ...(isCopiedAgain ? ['copied again'] : []),
    ...(more > 0 && definitionChanges.length === 0
      ? [`${more} more that may be wrong: repeat the command, or run headwater reprocess`]
      : []),
  ];
  yield `${name}: ${rows} in the source, ${stored} stored: ${[state, ...besides].join(', ')}`;
  for (const change of definitionChanges) yield `  because ${harmless(change)}`;
  for (const { difference, row } of examples) yield `  ${difference}: ${harmless(row)}`;
}
