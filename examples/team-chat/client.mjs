/** The app: it shows a channel as it is talked in, and what its moderators are told. */
import { column, PowerSyncDatabase, Schema, Table } from '@powersync/node';

const { SYNC_URL: endpoint = 'http://127.0.0.1:8080', SYNC_TOKEN: token = '' } = process.env;
const [channel_id = 'general'] = process.argv.slice(2);

const { text } = column;
const app = new PowerSyncDatabase({
  schema: new Schema({
    channels: new Table({ name: text }),
    members: new Table({ channel_id: text, user_id: text, role: text }),
    messages: new Table({ channel_id: text, author_id: text, body: text, sent_at: text }),
    reports: new Table({ channel_id: text, reason: text }),
  }),
  database: { dbFilename: 'team-chat.db', implementation: { type: 'node:sqlite' } },
});
await app.disconnectAndClear(); // whatever another user has left here
// It only reads: a real app sends its own writes to its backend in `uploadData`.
await app.connect({ fetchCredentials: async () => ({ endpoint, token }), uploadData: async () => {} });
await app.syncStream('messages', { channel_id }).subscribe();

follow("SELECT id, author_id || ': ' || body AS line FROM messages WHERE channel_id = ? ORDER BY sent_at");
follow("SELECT id, 'Reported: ' || reason AS line FROM reports WHERE channel_id = ?");

function follow(sql) {
  const rows = app.query({ sql, parameters: [channel_id] }).differentialWatch();
  rows.registerListener({
    onDiff: ({ added }) => {
      for (const { line } of added) console.log(line);
    },
  });
}
