/** One transaction of very many rows over 1,000 buckets: how fast it is replicated, and what memory that takes. */
import { residentMegabytes } from '../stage.ts';
import { connectCrowd } from './crowd.ts';
import { count, type Figure, perSecond } from './figure.ts';
import { complete, requestsOf, type World } from './world.ts';

const buckets = 1_000;

export const transactionTables = `
CREATE TABLE items (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), owner_id text, title text, done boolean,
  created_at timestamptz DEFAULT now());
CREATE TABLE news (id text PRIMARY KEY, body text);
INSERT INTO news VALUES ('n1', 'Nothing yet');`;

const config = `config:
  edition: 3
streams:
  own:
    query: SELECT * FROM items WHERE owner_id = auth.user_id()
  news:
    query: SELECT * FROM news
`;

export async function transaction(world: World, rows: number): Promise<Figure[]> {
  const { service, query } = world;
  await world.deploy(config);
  const crowd = await connectCrowd(service.port, await requestsOf(service, ['reader'], 'news'), complete);
  const before = residentMegabytes(service.pid);
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(service.pid));
  }, 50);
  const seen = crowd.saw('The end.');
  await query(`INSERT INTO items (owner_id, title, done)
    SELECT 'owner-' || n % ${buckets}, 'A title of some thirty letters ' || n, n % 2 = 0
    FROM generate_series(1, ${rows}) n`);
  // A client that sees this change has everything before it.
  const start = performance.now();
  await query(`UPDATE news SET body = 'The end.' WHERE id = 'n1'`);
  await seen;
  clearInterval(timer);
  const elapsed = performance.now() - start;
  await crowd.close();
  const what = `a transaction of ${count(rows)} rows over ${count(buckets)} buckets`;
  return [
    { what: `${what}, until clients have it`, measured: perSecond(rows, elapsed) },
    {
      what: '… memory of the service',
      measured: `${peak.toFixed(0)} MB at most, ${before.toFixed(0)} before`,
    },
  ];
}
