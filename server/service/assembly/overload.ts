/**
 * The steps by which the process gives up work when its memory is short, so that it does not have to end:
 *
 *     calm ──short──► guests ──still short──► idle ──still short──► unread
 *       ▲                │                     │                    │
 *       └────────────────┴─── enough again ────┴────────────────────┘
 *
 * `guests`: closes connections without a token. `idle`: also closes connections with a token but without a request. `unread`:
 * also closes streams whose clients do not read. All of them can connect again. The model is Envoy's overload manager.
 */
import type { Log } from '../ground/log.ts';
import type { Connections } from '../http/connections.ts';
import type { MemoryUse } from './resources.ts';

export type Overload = 'calm' | 'guests' | 'idle' | 'unread';

/** The shares of the memory limit at which memory is short, and is enough again. */
const isShortFrom = 0.85;
const isEnoughBelow = 0.75;

const nextOf = { calm: 'guests', guests: 'idle', idle: 'unread', unread: 'unread' } as const;

/** Returns the next state. If the use is unknown, the state stays the same. */
export function nextOverload(state: Overload, use: Pick<MemoryUse, 'used' | 'limit'> | undefined): Overload {
  if (use === undefined) return state;
  const part = use.used / use.limit;
  if (part >= isShortFrom) return nextOf[state];
  return part < isEnoughBelow ? 'calm' : state;
}

const gives = {
  guests: 'connections without a token',
  idle: 'connections without a token or a request',
  unread: 'connections without a token or a request, and streams whose client does not read',
} as const;

/** Returns a function that must be called once a second. */
export function watchOverload(
  connections: Pick<Connections, 'shed'>,
  readUse: () => MemoryUse | undefined,
  log: Log,
): () => void {
  let state: Overload = 'calm';
  let closed = 0;
  const note = (next: Overload, use: MemoryUse | undefined): void => {
    if (next === 'calm') {
      log.write('info', `Enough memory is available again. Connections that were closed: ${closed}`);
      closed = 0;
      return;
    }
    const [used, limit] = [use?.used ?? 0, use?.limit ?? 0].map((bytes) => Math.round(bytes / 2 ** 20));
    log.write('warn', `Memory is short, so the service is closing ${gives[next]}`, {
      memory: use?.of,
      used_mb: used,
      limit_mb: limit,
    });
  };
  return () => {
    const use = readUse();
    const next = nextOverload(state, use);
    if (next !== state) note(next, use);
    state = next;
    if (next === 'calm' || use === undefined || use.used / use.limit < isShortFrom) return;
    for (const kind of kindsIn[next]) closed += connections.shed(kind);
  };
}

const kindsIn = {
  guests: ['guests'],
  idle: ['guests', 'idle'],
  unread: ['guests', 'idle', 'unread'],
} as const;
