/** The client of the example: a separate process, signed in as one of the example's users. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { localClientKey, signClientToken } from '../../client/project/clientToken.ts';
import { beforeTheEnd, startGroup, stopGroup } from '../rigs/process.ts';
import { type Complaints, toComplaints } from './complaints.ts';
import type { Service } from './service.ts';

interface Client {
  /** Resolves with the first row; rejects with a message if the client ends before. */
  readonly firstRow: Promise<void>;
  /** Resolves with a message. */
  readonly ended: Promise<string>;
}

export function startClient(
  program: string,
  user: string,
  { url, key, data }: Service,
  print: (line: string) => void,
): Client {
  // The client keeps its own rows in this folder.
  const folder = join(data, 'client');
  mkdirSync(folder);
  // The option hides Node's warning that its SQLite is experimental.
  const child = startGroup(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    cwd: folder,
    env: {
      ...process.env,
      SYNC_URL: url,
      SYNC_TOKEN: signClientToken({ sub: user }, localClientKey(key), Date.now()).token,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  beforeTheEnd(() => stopGroup(child));
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`The client has ended (${signal ?? `code ${code}`}).`));
  });
  const complaints: Complaints = toComplaints(print);
  onLines(child.stderr, complaints.take);
  const firstRow = new Promise<void>((resolve, reject) => {
    onLines(child.stdout, (row) => {
      complaints.forget();
      print(row);
      resolve();
    });
    ended.then((sentence) => reject(new Error(sentence)));
  });
  return { firstRow, ended };
}

function onLines(input: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  if (input) createInterface({ input }).on('line', take);
}
