/** The app: it shows the projects of the user, with what is left to do. Bucket definitions and streams are one to it. */
import { column, PowerSyncDatabase, Schema, Table } from '@powersync/node';

const { SYNC_URL: endpoint = 'http://127.0.0.1:8080', SYNC_TOKEN: token = '' } = process.env;

const { text, integer } = column;
const app = new PowerSyncDatabase({
  schema: new Schema({
    labels: new Table({ name: text }),
    projects: new Table({ name: text }),
    tasks: new Table({ project_id: text, title: text, done: integer }),
  }),
  database: { dbFilename: 'legacy-rules.db', implementation: { type: 'node:sqlite' } },
});
await app.disconnectAndClear(); // whatever another user has left here
// It only reads: a real app sends its own writes to its backend in `uploadData`.
await app.connect({ fetchCredentials: async () => ({ endpoint, token }), uploadData: async () => {} });

const open = `SELECT projects.name, title FROM tasks JOIN projects ON projects.id = project_id
  WHERE NOT done ORDER BY projects.name, title`;
for await (const { rows } of app.watch(open)) console.table(rows._array);
