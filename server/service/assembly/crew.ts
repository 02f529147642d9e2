/** Opens the crew of a service with workers, which serve the clients instead of this process. */
import type { ServiceSettings } from '../config/settings.ts';
import type { Metrics } from '../ground/metrics.ts';
import type { World } from '../ground/world.ts';
import type { Source } from '../replication/source.ts';
import type { Storage } from '../storage/storage.ts';
import type { EventLog } from '../watching/eventLog.ts';
import type { StartWorker } from '../workers/channel.ts';
import { Crew, type PrimaryServices } from '../workers/crew.ts';
import type { Tunnel } from '../workers/tunnels.ts';

export interface Workers {
  readonly count: number;
  readonly start: StartWorker;
}

interface CrewSources {
  readonly settings: ServiceSettings;
  readonly storage: Storage;
  readonly source: Source;
  readonly metrics: Pick<Metrics, 'add' | 'set'>;
  readonly timeline: Pick<EventLog, 'add'>;
  readonly damaged: PrimaryServices['damaged'];
  readonly take: (tunnel: Tunnel, address: string, admit: () => void) => void;
  readonly world: World;
}

export function openCrewOf({ count, start }: Workers, sources: CrewSources): Crew {
  const { settings, storage, source, metrics, timeline, damaged, take, world } = sources;
  const crew = new Crew({
    start,
    count,
    take,
    world,
    orders: { settings, instanceId: storage.instanceId, defaultSchema: source.defaultSchema },
    services: {
      position: source.position,
      mark: source.mark,
      createWriteCheckpoint: storage.writeCheckpoints.create,
      requestWriteCheckpoint: storage.writeCheckpoints.request,
      damaged,
      corrupt: (message) => storage.distrust?.(message),
      happened: (happening) => timeline.add({ kind: 'error', ...happening }),
      count: (counts) => {
        for (const [name, amount] of Object.entries(counts))
          metrics.add(name as Parameters<Metrics['add']>[0], amount);
      },
    },
    onClients: (size) => metrics.set('powersync_concurrent_connections', size),
  });
  // Workers read the folder of this process, so it notifies them. A PostgreSQL storage notifies each worker itself.
  if (settings.storage.type === 'embedded') storage.watch(crew.publish);
  storage.onDoubt?.(() => crew.tell('doubt'));
  return crew;
}
