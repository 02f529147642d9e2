/** Writes to the example's database as the backend of the app would. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseOf, type Service } from './service.ts';

/** The id of the list that the client shows. See examples/todo/schema.sql. */
const list = '00000000-0000-0000-0000-000000000001';

/** Example todos to add one after the other, so that there is something to see. */
const shopping = ['Milk', 'Apples', 'Coffee', 'Rice'];
/** The time between two changes, in milliseconds. */
const pace = 2_000;

export function addTodo(service: Service, description: string): Promise<void> {
  return write(service, 'INSERT INTO todos (list_id, description) VALUES ($1, $2)', [list, description]);
}

/** Adds each todo and marks it as done a moment later. */
export async function goShopping(service: Service): Promise<void> {
  for (const description of shopping) {
    await sleep(pace);
    await addTodo(service, description);
    await sleep(pace);
    const done = 'UPDATE todos SET completed = true WHERE list_id = $1 AND description = $2';
    await write(service, done, [list, description]);
  }
}

/** Runs a statement with its own connection, because the database and its address may change. */
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
