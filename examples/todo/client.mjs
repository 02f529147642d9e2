/** The app: it shows the todos of one list, and whatever happens to them. `node client.mjs Milk` adds one. */
import { randomUUID } from 'node:crypto';
import { column, PowerSyncDatabase, Schema, Table } from '@powersync/node';

const { SYNC_URL: endpoint = 'http://127.0.0.1:8080', SYNC_TOKEN: token = '' } = process.env;
const { BACKEND_URL: backend = 'http://127.0.0.1:6060' } = process.env;
const list_id = '00000000-0000-0000-0000-000000000001';

const app = new PowerSyncDatabase({
  schema: new Schema({
    lists: new Table({ name: column.text }),
    todos: new Table({ list_id: column.text, description: column.text, completed: column.integer }),
  }),
  database: { dbFilename: 'todo.db', implementation: { type: 'node:sqlite' } },
});
await app.disconnectAndClear(); // whatever another user has left here
await app.connect({ fetchCredentials: async () => ({ endpoint, token }), uploadData });
await app.syncStream('todos', { list_id }).subscribe();

const sql = 'SELECT id, description, completed FROM todos WHERE list_id = ? ORDER BY description';
const todos = app.query({ sql, parameters: [list_id] }).differentialWatch();
todos.registerListener({
  onDiff: ({ added, updated, removed }) => {
    for (const todo of added) show('+', todo);
    for (const { current } of updated) show('~', current);
    for (const todo of removed) show('-', todo);
  },
});

const [description] = process.argv.slice(2);
if (description !== undefined)
  await app.execute('INSERT INTO todos (id, list_id, description, completed) VALUES (?, ?, ?, 0)', [
    randomUUID(),
    list_id,
    description,
  ]);

/** Called whenever the app has written, and again after an error. */
async function uploadData(database) {
  const transaction = await database.getNextCrudTransaction();
  if (transaction === null) return;
  const reply = await fetch(backend, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(transaction.crud),
  });
  // What is refused for good must not block what comes after it; sync takes it back.
  if (reply.status === 422) console.error('refused:', await reply.text());
  else if (!reply.ok) throw new Error(`The backend answers with ${reply.status}.`);
  await transaction.complete();
}

function show(sign, { completed, description }) {
  console.log(sign, completed ? '[x]' : '[ ]', description);
}
