/** Clears a deployment of a data folder until it is killed or done, and prints its steps. */
import { writeSync } from 'node:fs';
import { silentLog } from '../../../server/service/ground/log.ts';
import { openEmbeddedStorage } from '../../../server/service/storage/embedded/storage.ts';
import { activated, change, commit, put, todos } from './contract/rig.ts';

const rows = 20_000;
/** The second deployment serves: it must keep all. */
const keeping = 300;

const storage = await openEmbeddedStorage(process.argv[2] ?? '', { log: silentLog });
const write = async (count: number) => {
  const { writer, deployment } = await activated(storage);
  const { id: table } = await writer.putTable(todos);
  for (let start = 0; start < count; start += 1_000) {
    const some = Array.from({ length: Math.min(1_000, count - start) }, (_, index) => {
      const number = start + index;
      return change(number, [put(`bucket ${number % 10}`, `${number}`)], { table });
    });
    await writer.write({ rows: some, goesOn: true });
  }
  await commit(writer, 2, deployment);
  await writer.release();
};
if ((await storage.deployments.all()).length === 0) {
  await write(rows);
  await write(keeping);
}
writeSync(1, 'begun\n');
await storage.clear(1, new AbortController().signal);
writeSync(1, 'cleared\n');
await storage.close();
