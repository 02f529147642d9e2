/** One Windows for all files of tests: it takes seconds to start and to end. */
import type { TestProject } from 'vitest/node';
import { startWindows } from './machine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    windowsPort: number;
    /** The devices of Wine. */
    windowsDevices: string | undefined;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { port, devices, close } = await startWindows();
  provide('windowsPort', port);
  provide('windowsDevices', devices);
  return close;
}
