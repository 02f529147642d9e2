import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { run } from './run.ts';

// `headwater … | head` closes our output early: that is the reader's decision, not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

run(process.argv.slice(2), {
  print: (line) => process.stdout.write(`${line}\n`),
  complain: (line) => process.stderr.write(`${line}\n`),
  readFile: (path) => readFile(path, 'utf8'),
  exists: existsSync,
}).then((code) => {
  process.exitCode = code;
});
