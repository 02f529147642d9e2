/** The project folder of a user whose service is not ours. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../scripts/rigs/temporary.ts';
import { foreignToken } from './foreignService.ts';

const config = `config:
  edition: 3

streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists
`;

/** Creates a folder with a `sync.yaml` and a `cli.yaml`. Returns its absolute path. @param url the address of the service */
export function makeForeignProject(url: string): string {
  const folder = temporaryFolder('foreign');
  writeFileSync(join(folder, 'sync.yaml'), config);
  writeFileSync(join(folder, 'cli.yaml'), `type: self-hosted\napi_url: ${url}\napi_key: ${foreignToken}\n`);
  return folder;
}
