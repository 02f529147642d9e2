/** With `node --import`: collects garbage whenever it is asked by a signal, so that what is left is what is used. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGURG', () => {
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
});
