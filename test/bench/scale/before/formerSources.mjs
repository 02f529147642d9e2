/** With `node --import`: what is imported of our `server/` comes from the sources of another commit. */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const ours = new URL('../../../../server/', import.meta.url).href;
const former = pathToFileURL(`${process.env.HEADWATER_FORMER_SOURCES}/server/`).href;

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    if (!resolved.url.startsWith(ours)) return resolved;
    return { ...resolved, url: former + resolved.url.slice(ours.length) };
  },
});
