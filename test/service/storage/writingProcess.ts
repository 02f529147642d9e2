/** Writes to the data folder that it is given until it is killed, and says each checkpoint once it is durable. */
import { writeSync } from 'node:fs';
import { silentLog } from '../../../server/service/ground/log.ts';
import { openEmbeddedStorage } from '../../../server/service/storage/embedded/storage.ts';
import { activated, change, commit, compact, put, writerOf } from './contract/rig.ts';

const storage = await openEmbeddedStorage(process.argv[2] ?? '', { log: silentLog });
const existing = await storage.deployments.all();
if (existing.length === 0) await (await activated(storage)).writer.release();
const writer = await writerOf(storage, 1);
let position = Number.parseInt((await storage.reader(1).checkpoint())?.position.slice(9) ?? '0', 16);
for (;;) {
  position += 1;
  const id = `${position}`;
  const rows = Array.from({ length: 50 }, (_, index) => change(index, [put('a', id), put('b', id)]));
  await writer.write({ rows });
  const { checkpoint } = await commit(writer, position, 1);
  writeSync(1, `${checkpoint?.opId}\n`);
  if (position % 10 === 0) await compact(storage, 1);
}
