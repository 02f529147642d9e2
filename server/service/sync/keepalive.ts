/** When a connection says how long its token is still valid, and when it has to end because it is not. */

/** Seconds before the end at which clients are warned, so that they get a new token in time. */
const warnBefore = 20;

interface Alarm {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: 'alive' | 'warning' | 'expired';
}

/**
 * The next time to say something, after `now`. `period` is for signs of life, in milliseconds; without it only the
 * end of the token counts. `expiresAt` is in seconds since 1970.
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

/** 20 s ± 10 %, by the number of the connection: those that came together do not all speak at once. */
export function periodOf(connection: number): number {
  const golden = (connection * 0.618_033_988_749_895) % 1;
  return Math.round(18_000 + 4_000 * golden);
}
