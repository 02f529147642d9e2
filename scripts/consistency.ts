/** `npm run consistency`: runs `test/consistency/main.ts`. */
import { buildAll } from './build.ts';

if ((await buildAll()) > 0) console.error('Not everything could be built.');
await import('../test/consistency/main.ts');
