/** The app: it shows the todos of one list, and whatever happens to them. */
import { column, PowerSyncDatabase, Schema, Table } from '@powersync/node';

const { SYNC_URL: endpoint = 'http://127.0.0.1:8080', SYNC_TOKEN: token = '' } = process.env;
const list_id = '00000000-0000-0000-0000-000000000001';

const app = new PowerSyncDatabase({
  schema: new Schema({
    lists: new Table({ name: column.text }),
    todos: new Table({ list_id: column.text, description: column.text, completed: column.integer }),
  }),
  database: { dbFilename: 'todo.db', implementation: { type: 'node:sqlite' } },
});
await app.disconnectAndClear(); // whatever another user has left here
// It only reads: a real app sends its own writes to its backend in `uploadData`.
await app.connect({ fetchCredentials: async () => ({ endpoint, token }), uploadData: async () => {} });
await app.syncStream('todos', { list_id }).subscribe();

const sql = 'SELECT id, description, completed FROM todos WHERE list_id = ?';
const todos = app.query({ sql, parameters: [list_id] }).differentialWatch();
todos.registerListener({
  onDiff: ({ added, updated, removed }) => {
    for (const todo of added) show('+', todo);
    for (const { current } of updated) show('~', current);
    for (const todo of removed) show('-', todo);
  },
});

function show(sign, { completed, description }) {
  console.log(sign, completed ? '[x]' : '[ ]', description);
}
