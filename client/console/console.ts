/** The properties of every screen. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { EditorLink } from './link/editor.ts';
import type { Transport } from './link/transport.ts';
import type { ServiceState } from './state/service.ts';

export interface Console {
  readonly transport: Transport;
  readonly service: ServiceState;
  /** Present if the console is part of an editor. */
  readonly editor?: EditorLink;
}

const context = createContext<Console | undefined>(undefined);

export const ConsoleProvider = context.Provider;

export function useConsole(): Console {
  const found = useContext(context);
  if (found === undefined) throw new Error('This component is rendered outside the console.');
  return found;
}
