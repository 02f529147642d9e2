/** The command `compact`: shortens the history of buckets. */
import { openStorage } from '../assembly/openParts.ts';
import { compactServing } from '../storage/compactor.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exitCodes.ts';

export const compact: Command = {
  name: 'compact',
  usage: '[--buckets NAMES] [--no-parameter-indexes]',
  summary: 'Shorten the histories of buckets, so that new clients download less',
  run: async ({ settings, arguments: { own }, world, terminal }) => {
    const buckets = own.buckets?.split(/,(?=\s*\d+#)/).map((name) => name.trim());
    const partial = buckets?.find((name) => !name.includes('['));
    if (partial !== undefined) {
      terminal.complain(`${partial} is not the full name of a bucket, such as 1#lists|0["u1"].`);
      return exitCodes.failed;
    }
    const storage = await openStorage(settings, world);
    try {
      const { clock } = world;
      const requestRetentionMinutes = settings.api.checkpointRequestRetentionMinutes;
      const options = {
        ...(buckets && { buckets }),
        lookups: own.noParameterIndexes === undefined,
        signal: new AbortController().signal,
      };
      const reports = await compactServing({ storage, requestRetentionMinutes, clock }, options);
      for (const { deploymentName, ...report } of reports)
        terminal.print(JSON.stringify({ deployment: deploymentName, ...report }));
      return exitCodes.done;
    } finally {
      await storage.close();
    }
  },
};
