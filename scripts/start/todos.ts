/** Writes into the example's database, as the backend of the app would. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseOf, type Service } from './service.ts';

/** The list that the client shows: see examples/todo/schema.sql. */
const list = '00000000-0000-0000-0000-000000000001';

/** Put on the list one after the other, to have something to look at. */
const shopping = ['Milk', 'Apples', 'Coffee', 'Rice'];
/** Milliseconds between two changes. */
const pace = 2_000;

export function addTodo(service: Service, description: string): Promise<void> {
  return write(service, 'INSERT INTO todos (list_id, description) VALUES ($1, $2)', [list, description]);
}

/** Each is added, and done a moment later. */
export async function goShopping(service: Service): Promise<void> {
  for (const description of shopping) {
    await sleep(pace);
    await addTodo(service, description);
    await sleep(pace);
    const done = 'UPDATE todos SET completed = true WHERE list_id = $1 AND description = $2';
    await write(service, done, [list, description]);
  }
}

/** A connection for each statement: the database and its address may change. */
async function write(service: Service, sql: string, values: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: await databaseOf(service), user: 'postgres' });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(sql, [...values]);
  } finally {
    await client.end();
  }
}
