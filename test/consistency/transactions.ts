/** Random transactions of one writer, recorded as effects on rows. */
import type pg from 'pg';
import type { CommittedState, Effect } from './history.ts';
import type { Random } from './random.ts';
import { accountIds, listIds, type Row, type TableName, users } from './scenario.ts';

export interface Attempt extends CommittedState {
  readonly transaction: string;
  /** Whether the answer to the commit was lost. The journal shows whether the commit succeeded. */
  readonly unknown: boolean;
}

/** Returns undefined if the transaction was rolled back, by choice or by the database. */
export async function transact(
  client: pg.Client,
  random: Random,
  transaction: string,
): Promise<Attempt | undefined> {
  const effects: Effect[] = [];
  let version = 0;
  let committing = false;
  try {
    await client.query('BEGIN');
    const steps = random.below(3) + 1;
    for (let step = 0; step < steps; step += 1) await random.pick(kinds)({ client, random, effects });
    if (random.below(12) === 0) {
      await client.query('ROLLBACK');
      return undefined;
    }
    // Locks the row until the commit, so the order of the versions is the order of the commits.
    const { rows } = await client.query(`UPDATE version SET n = n + 1 RETURNING n::int`);
    version = (rows[0] as { n: number }).n;
    await client.query('INSERT INTO journal VALUES ($1, $2)', [version, transaction]);
    committing = true;
    await client.query('COMMIT');
    return { version, effects, transaction, unknown: false };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    // Deadlocks and similar errors come before the commit, so nothing has changed.
    if (committing && !isRefusal(error)) return { version, effects, transaction, unknown: true };
    return undefined;
  }
}

/** Changes a table's definition while random transactions run. Tries again until none of them blocks the change. */
export async function redefine(
  client: pg.Client,
  transaction: string,
  change: () => Promise<void>,
): Promise<CommittedState> {
  for (;;) {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = '200ms'`);
      await change();
      const { rows } = await client.query('SELECT * FROM lists');
      const updated = await client.query('UPDATE version SET n = n + 1 RETURNING n::int');
      const { n: version } = updated.rows[0] as { n: number };
      await client.query('INSERT INTO journal VALUES ($1, $2)', [version, transaction]);
      await client.query('COMMIT');
      const puts = (rows as Row[]).map((row) => ({ kind: 'put', table: 'lists', row }) as const);
      return { version, effects: [{ kind: 'truncate', table: 'lists' }, ...puts] };
    } catch (error) {
      await client.query('ROLLBACK');
      if (!/lock timeout|deadlock/.test((error as Error).message)) throw error;
    }
  }
}

/** Whether the database has answered that it did not commit. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(40|23)/.test(code);
}

interface Step {
  readonly client: pg.Client;
  readonly random: Random;
  readonly effects: Effect[];
}

const kinds: readonly ((step: Step) => Promise<void>)[] = [
  ...[transfer, transfer, giveAccount, join, leave, insertItem, insertItem, retitle, retitle, rewrite, move],
  ...[renameKey, deleteItem, bulk, retitleList, rareTruncate],
];

async function put(
  step: Step,
  table: TableName,
  sql: string,
  args: readonly unknown[],
): Promise<readonly Row[]> {
  const { rows } = await step.client.query(sql, [...args]);
  for (const row of rows as Row[]) step.effects.push({ kind: 'put', table, row: plain(row) });
  return rows as Row[];
}

/** Converts the balance to a number, because `pg` returns 64-bit numbers as text. */
function plain(row: Row): Row {
  return 'balance' in row ? { ...row, balance: Number(row.balance) } : row;
}

/** Moves money, so the sum of all balances never changes. */
async function transfer(step: Step): Promise<void> {
  const [from, to] = [step.random.pick(accountIds), step.random.pick(accountIds)];
  const amount = step.random.below(100);
  for (const [id, change] of [
    [from, -amount],
    [to, amount],
  ]) {
    await put(step, 'accounts', 'UPDATE accounts SET balance = balance + $2 WHERE id = $1 RETURNING *', [
      id,
      change,
    ]);
  }
}

async function giveAccount(step: Step): Promise<void> {
  const args = [step.random.pick(accountIds), step.random.pick(users)];
  await put(step, 'accounts', 'UPDATE accounts SET owner = $2 WHERE id = $1 RETURNING *', args);
}

async function join(step: Step): Promise<void> {
  const [list, user] = [step.random.pick(listIds), step.random.pick(users)];
  const args = [`${list}/${user}`, list, user];
  await put(
    step,
    'members',
    'INSERT INTO members VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING *',
    args,
  );
}

async function leave(step: Step): Promise<void> {
  const id = `${step.random.pick(listIds)}/${step.random.pick(users)}`;
  const { rowCount } = await step.client.query('DELETE FROM members WHERE id = $1', [id]);
  if (rowCount) step.effects.push({ kind: 'remove', table: 'members', id });
}

async function insertItem(step: Step): Promise<void> {
  const { random } = step;
  const args = [
    random.id(),
    random.pick(listIds),
    random.text(20),
    random.text(random.below(4) === 0 ? 6000 : 40),
  ];
  await put(step, 'items', 'INSERT INTO items VALUES ($1, $2, $3, $4) RETURNING *', args);
}

/** Picks two items at random. */
const someItems = '(SELECT id FROM items ORDER BY md5(id || $1) LIMIT 2)';

async function retitle(step: Step): Promise<void> {
  const args = [step.random.id(), step.random.text(15)];
  await put(step, 'items', `UPDATE items SET title = $2 WHERE id IN ${someItems} RETURNING *`, args);
}

async function rewrite(step: Step): Promise<void> {
  const args = [step.random.id(), step.random.text(5000)];
  await put(step, 'items', `UPDATE items SET body = $2 WHERE id IN ${someItems} RETURNING *`, args);
}

async function move(step: Step): Promise<void> {
  const args = [step.random.id(), step.random.pick(listIds)];
  await put(step, 'items', `UPDATE items SET list_id = $2 WHERE id IN ${someItems} RETURNING *`, args);
}

async function renameKey(step: Step): Promise<void> {
  const { rows } = await step.client.query(
    `SELECT id FROM items WHERE id IN ${someItems} LIMIT 1 FOR UPDATE`,
    [step.random.id()],
  );
  const old = (rows[0] as Row | undefined)?.id;
  if (old === undefined) return;
  const renamed = await put(step, 'items', 'UPDATE items SET id = $2 WHERE id = $1 RETURNING *', [
    old,
    step.random.id(),
  ]);
  if (renamed.length > 0) step.effects.push({ kind: 'remove', table: 'items', id: old });
}

async function deleteItem(step: Step): Promise<void> {
  const { rows } = await step.client.query(`DELETE FROM items WHERE id IN ${someItems} RETURNING id`, [
    step.random.id(),
  ]);
  for (const { id } of rows as Row[]) step.effects.push({ kind: 'remove', table: 'items', id });
}

async function bulk(step: Step): Promise<void> {
  const args = [step.random.id(), step.random.pick(listIds), step.random.below(60)];
  const sql = `INSERT INTO items SELECT $1 || '-' || n, $2, 'bulk', 'x' FROM generate_series(1, $3::int) AS n RETURNING *`;
  await put(step, 'items', sql, args);
}

async function retitleList(step: Step): Promise<void> {
  const args = [step.random.pick(listIds), step.random.text(10)];
  await put(step, 'lists', 'UPDATE lists SET title = $2 WHERE id = $1 RETURNING *', args);
}

async function rareTruncate(step: Step): Promise<void> {
  if (step.random.below(6) !== 0) return;
  await step.client.query('TRUNCATE items');
  step.effects.push({ kind: 'truncate', table: 'items' });
}
