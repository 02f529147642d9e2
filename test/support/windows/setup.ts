/** Starts one Windows machine for all test files, because it takes seconds to start and to end. */
import type { TestProject } from 'vitest/node';
import { startWindows } from './machine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    windowsPort: number;
    /** The folder of Wine's devices. Undefined on a real Windows. */
    windowsDevices: string | undefined;
  }
}

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { port, devices, close } = await startWindows();
  provide('windowsPort', port);
  provide('windowsDevices', devices);
  return close;
}
