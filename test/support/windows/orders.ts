/** The messages between tests and the agent on Windows. */
import type { ConsoleKey } from './consoleKeys.ts';

export interface StartOrder {
  /** The program to start. Absent: Node. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the standard streams of the program are connected directly to the socket. */
  readonly raw?: boolean;
  /** Whether the program has a channel to its parent, like the service of an editor. */
  readonly channel?: boolean;
  /** Whether the agent itself must end. */
  readonly end?: boolean;
}

export type AgentOrder =
  | { readonly kind: 'input'; readonly text: string }
  | { readonly kind: 'end of input' }
  | { readonly kind: 'disconnect' }
  /** `pid`: a child of the program, which gets the key directly. In Wine 8, children do not get the keys of their console. */
  | { readonly kind: 'press'; readonly key: ConsoleKey; readonly pid?: number }
  | { readonly kind: 'kill'; readonly signal: NodeJS.Signals };

export type AgentEvent =
  | { readonly kind: 'begun'; readonly pid: number }
  | { readonly kind: 'out' | 'err'; readonly text: string }
  | { readonly kind: 'end'; readonly code: number | null; readonly signal: string | null };
