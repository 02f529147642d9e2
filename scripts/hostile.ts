/** `npm run hostile -- NAME SECONDS`: runs `test/hostile/main.ts`. */
import { buildAll } from './build.ts';

if ((await buildAll()) > 0) console.error('Not everything could be built.');
await import('../test/hostile/main.ts');
