/** The entry point of the command line in Node. */
import { explainFile } from './failure.ts';
import { openProcess } from './process/processWorld.ts';
import { run } from './run.ts';

const { world, endPrograms } = openProcess();

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `headwater … | head` closes our output early. This is not a failure, because the reader decides how much to read.
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') {
      if (stream === process.stdout) endPrograms();
      return;
    }
    if (stream === process.stdout) process.stderr.write(`${explainFile('write', 'the output', error)}\n`);
    process.exit(2);
  });

run(process.argv.slice(2), world).then((code) => {
  process.exitCode = code;
});
