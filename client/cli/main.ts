import { processWorld } from './processWorld.ts';
import { run } from './run.ts';

// `headwater … | head` closes our output early: that is the reader's decision, not an error.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });

run(process.argv.slice(2), processWorld()).then((code) => {
  process.exitCode = code;
});
