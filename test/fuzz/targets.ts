/** The targets by name. Each is loaded when it is needed, because two of them start a database. */
import type { Target } from './target.ts';

export const targetNames = [
  'http',
  'rsocket',
  'bson',
  'pgoutput',
  'service-config',
  'language-frames',
] as const;
export type TargetName = (typeof targetNames)[number];

/** The targets that open no sockets. */
export const pureTargets = [
  'bson',
  'pgoutput',
  'service-config',
  'language-frames',
] as const satisfies readonly TargetName[];

export const targets: Readonly<Record<TargetName, () => Promise<Target>>> = {
  http: async () => (await import('./http.ts')).openHttp(),
  rsocket: async () => (await import('./rsocket.ts')).openRsocket(),
  bson: async () => (await import('./bson.ts')).bson,
  pgoutput: async () => (await import('./pgoutput.ts')).pgoutput,
  'service-config': async () => (await import('./serviceConfig.ts')).serviceConfig,
  'language-frames': async () => (await import('./languageFrames.ts')).languageFrames,
};
