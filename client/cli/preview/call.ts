import type { Call } from '../command.ts';

/** A call with the options of both ways to preview. */
export type PreviewCall = Call<
  | 'user'
  | 'claims'
  | 'parameters'
  | 'subscribe'
  | 'rows'
  | 'live'
  | 'service'
  | 'directory'
  | 'token'
  | 'config'
>;
