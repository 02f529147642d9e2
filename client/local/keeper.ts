/**
 * A process between the editor and the local service. It survives a reload of the window, keeps the log, and stops the service
 * when no window needs it any more.
 *
 *     keeper.js <program of the service> <data folder> <options of the service …>
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, renameSync, rmSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../server/shared/files.ts';
import { openTurns } from '../../server/shared/turns.ts';
import { askToEnd, endOf, memoryVariables } from '../project/childProcess.ts';
import { logName, recordName, type ServiceRecord, wantedAt } from './record.ts';

/** Milliseconds between two checks. */
const lookEvery = 500;
/** The maximum number of checks without a sign of a window. Checks are counted instead of time, because the machine may sleep. */
const patience = 120;
/** The maximum time for stopping, in milliseconds. The service itself gives up after 30 s. */
const longestStop = 35_000;
/** The maximum size of a log in bytes. The previous log is kept. */
const longestLog = 5_000_000;
/** Normal lines of the log, and Node's own warnings, which do not explain why the service ended. */
const beside = /^(\S+ (debug|info|warn) |\(node:|\(Use `)/;
/** The number of kept lines that may explain why the service ended. */
const remembered = 12;

function keep(program: string, folder: string, options: readonly string[]): void {
  // The files of the keeper and of the service are readable only by this user.
  process.umask(0o077);
  const keeper = process.pid;
  const log = openLog(folder);
  const records = openRecords(folder);
  records.write({ state: 'starting', keeper });
  const child = spawn(process.execPath, [program, 'start', ...options], {
    // The channel closes when this process ends, even if it is killed, so the service notices.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...memoryVariables, ...process.env },
  });
  const complaints: string[] = [];

  onLines(child.stdout, (line) => {
    const port = portIn(line);
    if (port === undefined) log.write(line);
    else records.write({ state: 'ready', keeper, port });
  });
  onLines(child.stderr, (line) => {
    log.write(line);
    complaints.push(line);
    if (complaints.length > remembered) complaints.shift();
  });

  const watch = setInterval(
    watchFor(folder, () => stop(child)),
    lookEvery,
  );
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const)
    process.on(signal, () => stop(child));
  const end = (sentence: string): void => {
    clearInterval(watch);
    records.write({ state: 'ended', sentence });
    log.end(() => void records.written().then(() => process.exit()));
  };
  endOf(child).then(
    ({ code, signal }) => end(explainEnd(code, signal, complaints)),
    ({ message }: Error) => end(`The process could not be started: ${message}.`),
  );
}

interface Records {
  write(record: ServiceRecord): void;
  /** Resolves when all lines have been written. */
  written(): Promise<void>;
}

function openRecords(folder: string): Records {
  const path = join(folder, recordName);
  const turns = openTurns();
  return {
    write(record) {
      const text = JSON.stringify(record);
      void turns.run(() => replaceFile(path, text, { draft: `${path}.new`, mode: 0o600 }));
    },
    written: () => turns.run(() => {}),
  };
}

/** Calls back when no window needs the service any more. */
function watchFor(folder: string, isUnwanted: () => void): () => void {
  let last = wantedAt(folder);
  let quiet = 0;
  return () => {
    const wanted = wantedAt(folder);
    quiet = wanted === last ? quiet + 1 : 0;
    last = wanted;
    if (wanted === undefined || quiet >= patience) isUnwanted();
  };
}

function stop(child: ChildProcess): void {
  if (child.killed || !child.connected) return;
  askToEnd(child);
  setTimeout(() => child.kill('SIGKILL'), longestStop).unref();
}

function explainEnd(
  code: number | null,
  signal: NodeJS.Signals | null,
  complaints: readonly string[],
): string {
  if (code === 0) return 'The local service ended.';
  const what = code === null ? `was ended by ${signal}` : `ended with code ${code}`;
  const told = complaints.filter((line) => !beside.test(line)).join('\n');
  return `The local service ${what}.${told === '' ? '' : `\n${told}`}`;
}

function portIn(line: string): number | undefined {
  if (!line.startsWith('{"ready":true')) return undefined;
  const { port } = JSON.parse(line) as { port?: unknown };
  return typeof port === 'number' ? port : undefined;
}

function onLines(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  stream?.once('end', () => {
    if (rest !== '') take(rest);
  });
}

interface Log {
  write(line: string): void;
  end(done: () => void): void;
}

function openLog(folder: string): Log {
  const path = join(folder, logName);
  let stream: WriteStream;
  let size: number;
  const begin = (): void => {
    rmSync(`${path}.old`, { force: true });
    try {
      renameSync(path, `${path}.old`);
    } catch {}
    stream = createWriteStream(path, { mode: 0o600 });
    // A full disk must not stop the service.
    stream.on('error', () => {});
    size = 0;
  };
  begin();
  return {
    write(line) {
      if (size > longestLog) {
        stream.end();
        begin();
      }
      size += line.length + 1;
      stream.write(`${line}\n`);
    },
    end: (done) => void stream.end(done),
  };
}

const [program, folder, ...options] = process.argv.slice(2);
if (program !== undefined && folder !== undefined) keep(program, folder, options);
