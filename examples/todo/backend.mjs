/** The backend: what an app has written goes into the database, as far as its user may. Sync brings it back. */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { jwtVerify } from 'jose';
import pg from 'pg';

const { PORT = '6060', DATABASE_URL: connectionString, PS_JWT_SECRET_B64URL: secret = '' } = process.env;
const database = new pg.Pool({ connectionString });

// $1 is the user, who changes only what is theirs, and $2 is the row as the app sends it.
const row = 'json_to_record($2) AS row(id uuid, list_id uuid, description text, completed int)';
const mine = 'list_id IN (SELECT id FROM lists WHERE owner_id = $1)';
const statements = {
  PUT: `INSERT INTO todos (id, list_id, description, completed)
    SELECT id, list_id, description, coalesce(completed, 0) = 1 FROM ${row} WHERE row.${mine}
    ON CONFLICT (id) DO UPDATE SET description = excluded.description, completed = excluded.completed
    WHERE todos.${mine}`,
  PATCH: `UPDATE todos SET description = coalesce(row.description, todos.description),
    completed = coalesce(row.completed = 1, todos.completed) FROM ${row} WHERE todos.id = row.id AND todos.${mine}`,
  DELETE: `DELETE FROM todos USING ${row} WHERE todos.id = row.id AND todos.${mine}`,
};

async function write(user, writes, client) {
  await client.query('BEGIN'); // all that the app wrote together, or nothing of it
  for (const { op, type, id, data } of writes) {
    const { rowCount } =
      type === 'todos' ? await client.query(statements[op], [user, { ...data, id }]) : { rowCount: 0 };
    // What is gone already need not be deleted.
    if (rowCount === 0 && op !== 'DELETE')
      throw Object.assign(new Error('That is not theirs.'), { code: '42501' });
  }
  await client.query('COMMIT');
}

createServer(async (request, response) => {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const verified = jwtVerify(token, Buffer.from(secret, 'base64url'), { audience: 'todo' });
  const user = await verified.then(({ payload }) => payload.sub).catch(() => undefined);
  if (user === undefined) return response.writeHead(401).end();
  const client = await database.connect();
  try {
    await write(user, await json(request), client);
    response.writeHead(204).end();
  } catch ({ code = '', message }) {
    await client.query('ROLLBACK');
    // Wrong data (22, 23) and what is forbidden (42501) would be refused each time; anything else may pass.
    response.writeHead(/^(22|23|42501)/.test(code) ? 422 : 503).end(message);
  } finally {
    client.release();
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`The backend listens on port ${PORT}.`));
