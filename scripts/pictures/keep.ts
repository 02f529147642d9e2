/** Stores pictures in their folder, up to a maximum size. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../root.ts';
import { patient } from '../run/patience.ts';
import { animatePngs, type Frame, shrinkPng } from './png.ts';
import { progressTexts } from './progressTexts.ts';

const folder = join(root, 'docs/pictures');

/** The maximum sizes in bytes. */
const largest = { picture: 150_000, animation: 400_000 };

/** Returns a picture of the visible part of the page, without a blinking cursor. */
export function screenOf(page: Page): Promise<Buffer> {
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

/** Waits until the page shows no text of an answer that has not come yet, and stores its picture. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  await untilAnswered(page, `${name}.png`);
  write(name, shrinkPng(await screenOf(page)), largest.picture);
}

/** Waits until the page and its frames show no text of an answer that has not come yet. */
export async function untilAnswered(page: Page, picture: string): Promise<void> {
  const texts = progressTexts();
  const end = performance.now() + patient(20_000);
  for (;;) {
    const shown = await Promise.all(page.frames().map((frame) => frame.locator('body').allInnerTexts()));
    const early = texts.find((text) => shown.flat().some((each) => each.includes(text)));
    if (early === undefined) return;
    if (performance.now() > end) throw new Error(`${picture} would show "${early}".`);
    await page.waitForTimeout(100);
  }
}

export function keepAnimation(frames: readonly Frame[], name: string): void {
  write(name, animatePngs(frames), largest.animation);
}

function write(name: string, picture: Buffer, most: number): void {
  if (picture.length > most)
    throw new Error(`${name}.png has ${picture.length} bytes; ${most} are allowed. Show less.`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), picture);
  console.log(`docs/pictures/${name}.png, ${Math.ceil(picture.length / 1_000)} KB`);
}
