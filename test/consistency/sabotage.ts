/** Deliberate mistakes, each put into a build of the service. The consistency check must find each of them. */
import { readFileSync } from 'node:fs';
import { copyFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { optionsOf } from '../../scripts/bundles/bundles.ts';
import { root } from '../../scripts/root.ts';
import { applyEdit, type Edit } from '../support/house/edits.ts';
import type { RunSettings } from './run.ts';

export interface Mistake {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** The settings with which a run finds the mistake, if a run without faults does not. */
  readonly run?: Partial<RunSettings>;
}

const twoProcesses: Partial<RunSettings> = { source: 'postgresql', storage: 'postgresql' };

/** The faults without a lost connection, so a client that is not notified keeps waiting. */
const calm = /^(compacted while clients sync|redeployed)$/;

/** Definitions of tables change, and nothing fails. */
const redefined: Partial<RunSettings> = { faultEvery: 500, only: /^definition changed$/ };

/** Accepts any log as the continuation of the log that was read before. */
const anyLog: readonly Edit[] = [
  {
    file: 'server/service/replication/jobs/history.ts',
    from: 'end !== undefined && end < read',
    to: 'end === undefined && name === undefined',
  },
  {
    file: 'server/service/replication/jobs/history.ts',
    from: 'passed !== undefined && passed.last > confirmed ? passed : undefined',
    to: 'passed?.last === confirmed ? passed : undefined',
  },
];

export const mistakes: readonly Mistake[] = [
  {
    name: 'a row stays in the buckets that it has left',
    edits: [
      {
        file: 'server/service/replication/rows/rowChange.ts',
        from: 'ops.push(...removals(left, subkey));',
        to: '',
      },
    ],
  },
  {
    name: 'a checkpoint is published in the middle of a transaction',
    edits: [
      {
        file: 'server/service/replication/jobs/follow.ts',
        from: 'if (index !== end || mayWait(state)) continue;',
        to: "if (event.kind === 'begin') continue; state.rows.take('changed');",
      },
    ],
  },
  {
    name: 'values that an update leaves out are lost',
    edits: [
      {
        file: 'server/service/replication/rows/flush.ts',
        from: 'if (unchanged === undefined || unchanged.length === 0) return { row: values, unknown: false };',
        to: 'return { row: values, unknown: false };',
      },
    ],
  },
  {
    name: 'an older storage goes unnoticed',
    run: { only: /^data folder put back$/, faultEvery: 1500 },
    edits: [
      {
        file: 'server/service/replication/jobs/history.ts',
        from: 'if (confirmed > acknowledged)',
        to: "if (confirmed === 'none')",
      },
    ],
  },
  {
    name: 'another log goes unnoticed',
    run: { only: /^restored source$/, faultEvery: 1500 },
    edits: anyLog,
  },
  {
    name: 'a log that was left goes unnoticed',
    run: { only: /^standby takes over$/, faultEvery: 1500 },
    edits: [
      ...anyLog,
      {
        file: 'server/service/replication/jobs/history.ts',
        from: 'last > own.end',
        to: "last === 'none'",
      },
    ],
  },
  {
    name: 'a table that was not published for a while is taken as it was',
    run: { only: /^publication changed$/, faultEvery: 1500 },
    edits: [
      {
        file: 'server/service/replication/rows/tableShape.ts',
        from: "if (before.membership !== now.membership) changes.push({ kind: 'membership' });",
        to: '',
      },
    ],
  },
  {
    name: 'a column of the same name is taken for the same one',
    run: { only: /^column re-made$/, faultEvery: 1500 },
    edits: [
      {
        file: 'server/service/replication/rows/tableShape.ts',
        from: "if (number !== before.columns[column]) return [{ kind: 'replaced', column }];",
        to: '',
      },
    ],
  },
  {
    name: 'a column that is gone is served',
    run: redefined,
    edits: [
      {
        file: 'server/service/replication/rows/tableShape.ts',
        from: "return [to === undefined ? { kind: 'dropped', column } : { kind: 'renamed', column, to }];",
        to: "return to === undefined ? [] : [{ kind: 'renamed', column, to }];",
      },
    ],
  },
  {
    name: 'a column with another name is served by its former one',
    run: redefined,
    edits: [
      {
        file: 'server/service/replication/rows/tableShape.ts',
        from: "return [to === undefined ? { kind: 'dropped', column } : { kind: 'renamed', column, to }];",
        to: "return to === undefined ? [{ kind: 'dropped', column }] : [];",
      },
      {
        file: 'server/service/replication/rows/tableShape.ts',
        from: 'const isRenamed = Object.values(before.columns).some((id) => id === now.columns[column]);',
        to: 'const isRenamed = column !== undefined;',
      },
    ],
  },
  {
    name: 'a new column is taken for an empty one',
    run: redefined,
    edits: [
      {
        file: 'server/service/replication/rows/tableShape.ts',
        from: "if (isFilled(column, before, now)) changes.push({ kind: 'added', column });",
        to: "if (isFilled(column, before, before)) changes.push({ kind: 'added', column });",
      },
    ],
  },
  {
    name: 'values with another type are taken as they were',
    run: redefined,
    edits: [
      {
        file: 'server/service/replication/rows/tableShape.ts',
        from: 'if (old.facts.type !== other.facts.type)',
        to: "if (old.facts.type === '')",
      },
      {
        file: 'server/service/replication/rows/tableShape.ts',
        from: 'if (hasOtherFacts(old, other))',
        to: 'if (old.facts.type === other.facts.type && hasOtherFacts(old, other))',
      },
    ],
  },
  {
    name: 'a table that changes after its copy was begun is taken as it was',
    run: { ...twoProcesses, faultEvery: 1000, only: /^definition changed/, lasts: { seconds: 60 } },
    edits: [
      {
        file: 'server/service/replication/rows/tableShape.ts',
        from: 'return ahead > 0 && ahead <= mostAhead;',
        to: 'return ahead > 0 && ahead <= 0 * mostAhead;',
      },
      {
        file: 'server/service/replication/rows/tableShape.ts',
        from: 'if (common.some((name, at) => inLog[at] !== name)) return true;',
        to: 'if (common.some((_, at) => inLog[at] === null)) return true;',
      },
    ],
  },
  {
    name: 'a table with another replica identity is taken as it was',
    run: { only: /^replica identity changed$/, faultEvery: 1500 },
    edits: [
      {
        file: 'server/service/replication/rows/tables.ts',
        from: 'identityText(record.identity) === identityText(table.identity)',
        to: 'identityText([]) === identityText([])',
      },
    ],
  },
  {
    name: 'what no stream has any longer is not stored, and served when one has it again',
    run: { only: /^redeployed and killed$/, faultEvery: 1000 },
    edits: [
      {
        file: 'server/service/deployments/syncConfigs.ts',
        from: 'return { ...config, evaluator: served, storing, isStored: true };',
        to: 'return { ...config, evaluator: served, storing: { ...storing, evaluator: served }, isStored: true };',
      },
    ],
  },
  {
    name: 'a stream that shows other values is taken for the one that is stored',
    run: { only: /^redeployed$/, faultEvery: 1000 },
    edits: [
      {
        file: 'server/engine/plan/identity.ts',
        from: 'return columns.map(textOfColumn).join(',
        to: 'return columns.map(({ kind }) => kind).join(',
      },
    ],
  },
  {
    name: 'a text in another order is served by names of its own',
    run: { only: /^redeployed$/, faultEvery: 1000 },
    edits: [
      {
        file: 'server/service/deployments/syncConfigs.ts',
        from: 'const served = toConfigEvaluator(config.plans, { options: config.options, version, names });',
        to: 'const served = toConfigEvaluator(config.plans, { options: config.options, version });',
      },
    ],
  },
  {
    name: 'clients do not hear of a config that has less',
    run: { only: /^redeployed$/, faultEvery: 1000 },
    edits: [
      {
        file: 'server/service/sync/concern.ts',
        from: 'activated.revision > served.revision)',
        to: 'activated.revision < 0)',
      },
      // A client that is checked alone would also notice it.
      {
        file: 'server/service/sync/feed.ts',
        from: '(activated.deployment === deployment && activated.revision > revision)',
        to: '(activated.deployment === deployment && activated.revision < 0)',
      },
    ],
  },
  {
    name: 'changes that come while rows are copied beside are not stored for what is added',
    run: { only: /^redeployed$/, faultEvery: 500 },
    edits: [
      {
        file: 'server/service/replication/jobs/job.ts',
        from: 'return beside?.storing ?? storing;',
        to: 'return beside === undefined ? storing : { ...beside.storing, evaluator: storing.evaluator };',
      },
    ],
  },
  {
    name: 'a row that is stored already is not copied for what is added',
    run: { only: /^redeployed$/, faultEvery: 500 },
    edits: [
      {
        file: 'server/service/replication/rows/besideRow.ts',
        from: 'if (isThere) return undefined;',
        to: 'if (isThere || before.memberships.length > 1) return undefined;',
      },
    ],
  },
  {
    name: 'a page is written over what the stream has changed since it was read',
    run: { only: /^redeployed$/, faultEvery: 1500 },
    edits: [
      {
        file: 'server/service/replication/jobs/besidePages.ts',
        from: '.filter((key) => !reading.isTouched(key))',
        to: ".filter((key) => reading !== undefined && key !== '')",
      },
      // The tables are so small that a page is written as soon as it is read, so almost nothing would change in between.
      {
        file: 'server/service/replication/jobs/beside.ts',
        from: 'yield () => this.#write(page, readUpTo, own);',
        to: 'await this.#replication.clock.sleep(400, signal); yield () => this.#write(page, readUpTo, own);',
      },
    ],
  },
  {
    name: 'of what is deleted of the rest, something is still needed',
    run: { only: /^redeployed and killed$/, faultEvery: 1000 },
    edits: [
      {
        file: 'server/service/replication/jobs/attempt.ts',
        from: 'await storage.clearParts(id, parts.names, signal, ',
        to: 'await storage.clearParts(id, new Set([...parts.names].slice(1)), signal, ',
      },
    ],
  },
  {
    name: 'a process that has lost the right to write goes on writing',
    edits: [
      {
        file: 'server/service/storage/postgres/lease.ts',
        from: 'if (held.length > 0) return;',
        to: 'return;',
      },
      // The two checks below would also stop the process.
      {
        file: 'server/service/storage/postgres/writer/publish.ts',
        from: 'if (current.lastOp !== lastOp) throw lostRight(deployment);',
        to: '',
      },
      {
        file: 'server/service/storage/postgres/replicationState.ts',
        from: 'AND last_op = $2 RETURNING 1',
        to: 'AND $2::bigint IS NOT NULL RETURNING 1',
      },
    ],
    run: { ...twoProcesses, lasts: { seconds: 30 }, faultEvery: 500, only: /stands still/, patience: 30_000 },
  },
  {
    name: 'what happens while a client is told of something else is forgotten',
    run: { rests: true, faultEvery: 100, only: calm },
    edits: [
      {
        file: 'server/service/sync/cohorts/alone.ts',
        from: 'given !== undefined && !concern.hasNews && !over.aborted',
        to: 'given !== undefined && !over.aborted',
      },
    ],
  },
  {
    name: 'nothing takes the stream of an idle source past the end of a copy',
    run: { rests: true, faultEvery: 100, only: /^redeployed$/ },
    edits: [
      {
        file: 'server/service/replication/jobs/beside.ts',
        from: "this.#work.progress.enter('streaming');\n    await source.mark();",
        to: "this.#work.progress.enter('streaming');",
      },
    ],
  },
  {
    name: 'a number that another process has stored is not asked for',
    run: { ...twoProcesses, rests: true, faultEvery: 100, only: calm },
    edits: [
      {
        file: 'server/service/sync/writeCheckpoints.ts',
        from: 'if (position <= farthest) tell(id, number);',
        to: 'if (position > farthest) tell(id, number);',
      },
    ],
  },
  {
    name: 'a process does not notice that it hears nothing of its storage',
    edits: [
      {
        file: 'server/service/storage/postgres/messages.ts',
        from: '{ ask: 2, giveUp: 4 }',
        to: '{ ask: 1e9, giveUp: 1e9 }',
      },
    ],
    run: { ...twoProcesses, faultEvery: 1_000, only: /^silent connections/, patience: 20_000 },
  },
];

/** Builds the service with the edits and returns the path of the program. */
export async function buildWith(edits: readonly Edit[], folder: string): Promise<string> {
  const outfile = join(folder, 'service.js');
  await build({
    ...optionsOf.command,
    absWorkingDir: root,
    entryPoints: ['server/service/main.ts'],
    outfile,
    bundle: true,
    logLevel: 'silent',
    plugins: [putIn(edits)],
  });
  await copyFile(join(root, 'dist/database.js'), join(folder, 'database.js'));
  await symlink(join(root, 'dist/pglite'), join(folder, 'pglite'), 'junction');
  return outfile;
}

function putIn(edits: readonly Edit[]): Plugin {
  return {
    name: 'edits',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const ours = edits.filter(({ file }) => path === join(root, file));
        if (ours.length === 0) return undefined;
        return { contents: ours.reduce(applyEdit, readFileSync(path, 'utf8')), loader: 'ts' };
      });
    },
  };
}
