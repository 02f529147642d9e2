import { batch } from '@preact/signals';
import type { WatchLine } from '../../api/watch.ts';
import type { ServiceState } from './service.ts';

/** The maximum numbers of seconds and events that are kept. */
const most = { seconds: 3600, happenings: 500 };

/** @param now the time on the clock of this machine, in milliseconds since 1970 */
export function applyLine(state: ServiceState, line: WatchLine, now: number): void {
  batch(() => {
    switch (line.kind) {
      case 'picture':
        state.clockAhead.value = line.at - now;
        state.seconds.value = line.seconds.slice(-most.seconds);
        state.happenings.value = line.happenings.slice(-most.happenings);
        state.clients.value = new Map(line.clients.map((client) => [client.id, client]));
        state.clientCount.value = line.clientCount;
        state.lastOp.value = line.lastOp;
        return;
      case 'second':
        state.clockAhead.value = line.second.at - now;
        state.seconds.value = [...state.seconds.value.slice(1 - most.seconds), line.second];
        state.clientCount.value = line.clientCount;
        state.lastOp.value = line.lastOp;
        return;
      case 'checkpoint':
        state.lastOp.value = line.lastOp;
        return;
      case 'happening':
        state.happenings.value = [...state.happenings.value.slice(1 - most.happenings), line.happening];
        return;
      case 'clients': {
        const clients = new Map(state.clients.value);
        for (const id of line.gone) clients.delete(id);
        for (const client of line.changed) clients.set(client.id, client);
        state.clients.value = clients;
      }
    }
  });
}
