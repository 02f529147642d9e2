/** The console as an editor tab. */
import type { FrameLocator, Page } from 'playwright-core';

export function inConsole(page: Page): FrameLocator {
  return page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
}

/** Resolves when the console shows the device of a user, live. */
export async function untilDeviceIn(page: Page, user: string): Promise<FrameLocator> {
  const frame = inConsole(page);
  await frame.getByRole('region', { name: `The device of ${user}` }).waitFor();
  await frame.locator('[data-device="live"]').waitFor();
  return frame;
}
