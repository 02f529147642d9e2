/** Goes before each program that Node runs in Wine 8. */
import { registerHooks } from 'node:module';

// Wine does not know how long an idle connection is to wait before it is tested (TCP_KEEPIDLE), and Node makes no connection
// for which it cannot set this.
process.binding('tcp_wrap').TCP.prototype.setKeepAlive = () => 0;

registerHooks({
  resolve: (name, context, next) =>
    name === '@powersync/node'
      ? { url: new URL('sdk.mjs', import.meta.url).href, shortCircuit: true }
      : next(name, context),
});
