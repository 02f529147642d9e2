/** The embedded database survives the statements of `hostileStatements.ts`, wherever they come from. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patient } from '../../../../scripts/run/patience.ts';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import type { Log } from '../../../../server/service/ground/log.ts';
import type { DatabaseLimits } from '../../../../server/service/replication/embedded/limits.ts';
import { openSeedDatabase } from '../../../../server/service/replication/embedded/seeds/seedRows.ts';
import { openEmbeddedSource } from '../../../../server/service/replication/embedded/source.ts';
import type { Source, SourceStream } from '../../../../server/service/replication/source.ts';
import { follow, neverAborted, options, pattern, unwatched } from '../postgres/support.ts';
import { disguise, disguises, type HostileStatement, hostileStatements } from './hostileStatements.ts';

const connection = { type: 'embedded', id: 'default', tag: 'default', debugApi: false } as const;
/**
 * A statement that never ends takes a processor until its limit. Statements at the start of a database have the limit `statement`.
 */
const limits: DatabaseLimits = {
  // The service's own statements, which run after each end of the database, also have this limit.
  statement: patient(2_000),
  script: patient(400),
  // The service reports an open transaction after 3 s, so a transaction may stay open for longer than that here.
  idle: 5_000 + patient(1_000),
};

/**
 * The origins of the attacks. Each origin sends every statement in every disguise, except statements that may end the database:
 * these cost seconds, so each has a single disguise, which differs between the origins. Only scripts contain all of these, because
 * the processes of clients and access tests are watched in the same way.
 */
const origins = {
  scripts: { shift: 1, hasContained: () => true },
  client: { shift: 0, hasContained: (at: number) => at % 3 === 0 },
  // One answer survives only four ends of its database.
  accessTests: { shift: 2, hasContained: (at: number) => at % 5 === 0 },
} as const;

function attacksFrom(origin: keyof typeof origins) {
  const { shift, hasContained } = origins[origin];
  const contained = hostileStatements.filter(({ outcome }) => outcome === 'contained');
  return hostileStatements.flatMap((statement, index) => {
    const at = contained.indexOf(statement);
    const worn =
      at < 0 ? disguises : [disguises[(at + shift) % disguises.length]].filter(() => hasContained(at));
    return worn.flatMap((as = 'none') => {
      const unique = index * disguises.length + disguises.indexOf(as);
      return { statement, as, unique, text: disguise(statement, as, unique) };
    });
  });
}

type Attack = ReturnType<typeof attacksFrom>[number];

const titleOf = ({ statement, as }: Attack) =>
  `${statement.aim}, ${as === 'none' ? 'as it is' : `in a ${as}`}: ${statement.sql.slice(0, 90)}`;

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'headwater-hostile-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Opens the database of a project with these files. */
async function openProject(name: string, files: Readonly<Record<string, string>>) {
  const folder = join(root, name);
  mkdirSync(join(folder, 'sql'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, 'sql', path), text);
  const lines: string[] = [];
  const log: Log = { write: (level, message) => level !== 'debug' && lines.push(`${level}: ${message}`) };
  const schema = [{ path: join(folder, 'sql'), name: 'sql', folder }];
  const world = { clock: systemClock, log, env: {}, fetch };
  const source = await openEmbeddedSource({ ...connection, schema }, join(folder, 'data'), world, limits);
  return { source, lines, data: join(folder, 'data') };
}

const keptTable = 'CREATE TABLE kept (id int PRIMARY KEY);';

async function query(source: Source, sql: string, values: readonly unknown[] = []) {
  const client = new pg.Client({ connectionString: source.clientUri });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, [...values])).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

describe('a hostile client', () => {
  let opened: Awaited<ReturnType<typeof openProject>>;
  let stream: SourceStream;
  let rows = 0;

  beforeAll(async () => {
    opened = await openProject('client', { '1.sql': keptTable });
    stream = opened.source.stream({
      deploymentName: 'slot',
      patterns: [pattern('public.%')],
      options,
      ...unwatched,
    });
    await stream.prepare(neverAborted);
  });
  afterAll(() => opened.source.close());

  const pid = () => readFileSync(join(opened.data, 'owner.pid'), 'utf8');

  test.each(attacksFrom('client').map((attack) => [titleOf(attack), attack] as const))(
    '%s',
    async (_, attack) => {
      const { source, lines } = opened;
      const { outcome } = attack.statement;
      const before = pid();
      const from = lines.length;
      const failure = await query(source, attack.text).then(
        () => undefined,
        (error: Error & { readonly code?: string }) => error,
      );
      if (outcome !== 'harmless') expect(failure).toBeInstanceOf(Error);
      if (failure?.code === '57P02') {
        expect(outcome).toBe('contained');
        // The client and the log name the statement.
        const named = oneLine(attack.text).slice(0, 60);
        expect(failure.message).toMatch(/^A statement ended the embedded database, because /);
        expect(failure.message).toContain(named);
        expect(lines.slice(from).join('\n')).toContain(named);
      } else expect(pid()).toBe(before);
      // The database still serves everybody else.
      rows += 1;
      await query(source, 'INSERT INTO kept VALUES ($1)', [rows]);
      expect(await query(source, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: rows }]);
      await source.mark();
      await expect.poll(() => source.link?.isLost()).toBe(false);
    },
  );

  test('does not keep rows that were written meanwhile from being served', async () => {
    const follower = follow(opened.source, stream);
    const ids = (await follower.settled()).flatMap((event) =>
      event.kind === 'insert' && 'id' in event.row.values ? [Number(event.row.values.id)] : [],
    );
    await follower.stop();
    expect(ids.filter((id) => id > 0)).toEqual(
      expect.arrayContaining(Array.from({ length: rows }, (_, at) => at + 1)),
    );
  });

  test('gets an error when it leaves a transaction open for too long', async () => {
    const { source, lines } = opened;
    const client = new pg.Client({ connectionString: source.clientUri });
    const told = new Promise<string>((resolve) => client.on('error', ({ message }) => resolve(message)));
    await client.connect();
    await client.query('BEGIN; LOCK TABLE kept; SELECT 1 AS first');
    await expect
      .poll(() => source.health())
      .toMatchObject({
        problems: [
          {
            message: expect.stringMatching(
              /^A client has had a transaction open for .*: BEGIN; LOCK TABLE kept/,
            ),
          },
        ],
      });
    expect(await told).toMatch(/idle-in-transaction timeout|terminated/);
    expect(await query(source, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    expect(lines).toContainEqual(
      expect.stringContaining(`warn: A client had a transaction open for ${limits.idle / 1000} s`),
    );
  });

  test.each(['@', '\0', 'p', 'Z', 'B', 'E', 'P', 'D', 'C', 'F', 'Q', 'd', 'c', 'f', 'H'])(
    'does not end the process with a garbled message of type %j',
    async (type) => {
      const before = pid();
      const client = new pg.Client({ connectionString: opened.source.clientUri });
      client.on('error', () => undefined);
      await client.connect();
      const socket = (client as unknown as { connection: { stream: ReturnType<typeof connect> } }).connection
        .stream;
      const over = new Promise((resolve) => socket.once('close', resolve));
      const frame = Buffer.from([0, 0, 0, 0, 0, ...Array.from({ length: 40 }, (_, at) => (at * 37) % 256)]);
      frame.write(type, 0, 'latin1');
      frame.writeInt32BE(frame.length - 1, 1);
      socket.write(frame);
      socket.end(Buffer.from([0x53, 0, 0, 0, 4]));
      await over;
      expect(await query(opened.source, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
      expect(pid()).toBe(before);
    },
  );
});

test('A hostile statement in a script of a project is skipped with its file and line, and all others run', async () => {
  const attacks = attacksFrom('scripts');
  const nameOf = ({ unique }: Attack) => `${1_000 + unique}.sql`;
  const files = Object.fromEntries(attacks.map((attack) => [nameOf(attack), attack.text]));
  const { source, lines } = await openProject('scripts', {
    '0.sql': keptTable,
    ...files,
    '9999.sql': 'CREATE TABLE last (id int);',
  });
  try {
    const skipped = (await source.own?.scripts())?.skipped ?? [];
    const places = skipped.map(({ script, line }) => `${script}:${line}`);
    const placeOf = (attack: Attack) => `sql/${nameOf(attack)}:${attack.text.split('\n').length}`;
    for (const attack of attacks.filter(({ statement }) => statement.outcome !== 'harmless'))
      expect(places, titleOf(attack)).toContain(placeOf(attack));
    expect(attacks.map(placeOf)).toEqual(expect.arrayContaining(places));
    for (const { script, line, reason } of skipped)
      if (reason === 'timeout' || reason === 'ended')
        expect(lines.join('\n')).toMatch(
          // If the database does not survive the end of a script, the entire script is left out.
          new RegExp(`A statement of the project was not run \\(${script}(?::${line})?\\)`),
        );
    expect(
      await query(source, "SELECT to_regclass('last')::text AS last, to_regclass('kept')::text AS kept"),
    ).toEqual([{ last: 'last', kept: 'kept' }]);
    await query(source, 'INSERT INTO kept VALUES (1)');
    await source.mark();
  } finally {
    await source.close();
  }
});

test('A hostile statement in a file of an access test is refused with its file and line', async () => {
  const attacks = attacksFrom('accessTests');
  const folder = join(root, 'tests');
  mkdirSync(join(folder, 'sql'), { recursive: true });
  writeFileSync(join(folder, 'sql/1.sql'), keptTable);
  const seeds = [
    ...attacks.map(({ unique, text }) => ({ name: `${unique}.sql`, text })),
    { name: 'last.sql', text: 'INSERT INTO kept VALUES (1);' },
  ];
  const answer = await openSeedDatabase({ clock: systemClock, longest: limits.script })(
    { schema: [{ path: join(folder, 'sql'), name: 'sql', folder }], seeds, options },
    neverAborted,
  );
  expect(answer.tables).toContainEqual({ schema: 'public', name: 'kept', rows: [{ id: 1n }] });
  for (const attack of attacks.filter(isReported)) {
    const place = { file: `${attack.unique}.sql`, line: attack.text.split('\n').length };
    expect(answer.refused, titleOf(attack)).toContainEqual(expect.objectContaining(place));
  }
});

/** Whether a refusal is reported. A statement about the entire server is skipped without a report, because no test needs it. */
function isReported({ statement, as }: Attack): boolean {
  const { outcome, sql }: HostileStatement = statement;
  return outcome !== 'harmless' && !(as === 'none' && /^(?:ALTER SYSTEM|CREATE SUBSCRIPTION)/.test(sql));
}
