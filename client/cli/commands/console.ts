import { command } from '../command.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';

export const console = command({
  name: 'console',
  summary: 'Print a link that opens the console of a service in a browser',
  about: `The console shows what syncs: the map of tables and streams, the rows of a device, and what the service has been
doing. The link signs a browser in. It works once, and for 15 minutes; the browser stays signed in for 12 hours, or until
the service ends.

Exit code 0: the link is printed; 2: the service does not answer, or has no console.

${aboutToken}`,
  options: instanceOptions,
  examples: ['console', 'console --service http://127.0.0.1:8080'],
  run: (call) =>
    withService(call, async (api) => {
      const url = await api.consoleLink(call.world.signal);
      return { code: 0, json: { url }, lines: [url] };
    }),
});
