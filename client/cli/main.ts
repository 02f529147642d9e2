import { explainFile } from './failure.ts';
import { processWorld } from './processWorld.ts';
import { run } from './run.ts';

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // `headwater … | head` closes our output early: that is the reader's decision, not an error.
    if (error.code === 'EPIPE') process.exit(0);
    if (stream === process.stdout) process.stderr.write(`${explainFile('write', 'the output', error)}\n`);
    process.exit(2);
  });

run(process.argv.slice(2), processWorld()).then((code) => {
  process.exitCode = code;
});
