/** The messages between tests and the agent on Windows. */
import type { ConsoleKey } from './consoleKeys.ts';

export interface StartOrder {
  /** Instead of Node. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Its streams are those of the connection. */
  readonly raw?: boolean;
  /** Whether it has a channel to its parent, as the service of an editor has. */
  readonly channel?: boolean;
  /** The agent itself ends. */
  readonly end?: boolean;
}

export type AgentOrder =
  | { readonly kind: 'input'; readonly text: string }
  | { readonly kind: 'end of input' }
  | { readonly kind: 'disconnect' }
  /** `pid`: of a process that it has started, which get no keys of their console in Wine 8. */
  | { readonly kind: 'press'; readonly key: ConsoleKey; readonly pid?: number }
  | { readonly kind: 'kill'; readonly signal: NodeJS.Signals };

export type AgentEvent =
  | { readonly kind: 'begun'; readonly pid: number }
  | { readonly kind: 'out' | 'err'; readonly text: string }
  | { readonly kind: 'end'; readonly code: number | null; readonly signal: string | null };
