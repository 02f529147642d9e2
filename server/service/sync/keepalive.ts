/** Decides when a connection reports how long its token remains valid, and when it ends because the token has expired. */

/** How many seconds before the end a client is warned, so that it gets a new token in time. */
const warnBefore = 20;

interface Alarm {
  /** The time in milliseconds since 1970. */
  readonly at: number;
  readonly kind: 'alive' | 'warning' | 'expired';
}

/**
 * Returns the next time after `now` to report something. `period` is the interval of signs of life in milliseconds; if it is
 * undefined, only the end of the token matters. `expiresAt` is in seconds since 1970.
 */
export function nextAlarm(now: number, expiresAt: number, period: number | undefined): Alarm {
  const end = expiresAt * 1000;
  const warning = end - warnBefore * 1000;
  const alarms: readonly Alarm[] = [
    { at: end, kind: 'expired' },
    ...(warning > now ? [{ at: warning, kind: 'warning' } as const] : []),
    ...(period === undefined ? [] : [{ at: now + period, kind: 'alive' } as const]),
  ];
  return alarms.reduce((first, each) => (each.at < first.at ? each : first));
}

export function secondsLeft(now: number, expiresAt: number): number {
  return Math.max(0, Math.ceil(expiresAt - now / 1000));
}

/**
 * Returns 20 s ± 10 %, depending on the number of the connection, so that clients that connected together do not all report at
 * the same time.
 */
export function periodOf(connection: number): number {
  const golden = (connection * 0.618_033_988_749_895) % 1;
  return Math.round(18_000 + 4_000 * golden);
}
