import { command } from '../command.ts';
import { aboutToken, instanceOptions, withService } from '../instance.ts';

export const console = command({
  name: 'console',
  summary: 'Print a link that opens the console of a service in a browser',
  about: `Prints a link to the console, which shows a map of tables and streams, the rows of a device, and the activity of the
service. The link signs a browser in. It can be used once, within 15 minutes. The browser then stays signed in for 12 hours,
or until the service stops.

Exit code 0: the link was printed; 2: the service did not answer, or has no console.

${aboutToken}`,
  options: instanceOptions,
  examples: ['console', 'console --service http://127.0.0.1:8080'],
  run: (call) =>
    withService(call, async (api) => {
      const url = await api.consoleLink(call.world.signal);
      return { code: 0, json: { url }, lines: [url] };
    }),
});
