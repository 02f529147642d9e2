/** The console as an editor tab. */
import type { FrameLocator, Page } from 'playwright-core';

export function inConsole(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
}

/** Waits until the console shows the live device of a user, and returns the frame of the console. */
export async function untilDeviceIn(page: Page, user: string): Promise<FrameLocator> {
  const frame = inConsole(page);
  await frame.getByRole('region', { name: `The device of ${user}` }).waitFor();
  await frame.locator('[data-device="live"]').waitFor();
  return frame;
}
