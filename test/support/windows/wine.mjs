/** A preload for each program that Node runs in Wine 8. */
import { registerHooks } from 'node:module';

// Wine does not support the option for how long a connection may be idle before it is tested (TCP_KEEPIDLE), and Node refuses to
// connect if it cannot set this option.
process.binding('tcp_wrap').TCP.prototype.setKeepAlive = () => 0;

registerHooks({
  resolve: (name, context, next) =>
    name === '@powersync/node'
      ? { url: new URL('sdk.mjs', import.meta.url).href, shortCircuit: true }
      : next(name, context),
});
