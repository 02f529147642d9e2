/** Stores pictures in their folder, up to a maximum size. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../root.ts';
import { animatePngs, type Frame, shrinkPng } from './png.ts';

const folder = join(root, 'docs/pictures');

/** The maximum sizes in bytes. */
const largest = { picture: 150_000, animation: 400_000 };

/** Returns a picture of the visible part of the page, without a blinking cursor. */
export function screenOf(page: Page): Promise<Buffer> {
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

/** The words of an answer that has not come yet. */
const unfinished = /\b(?:Measuring|Loading|Reading the tables) …/;

export async function keepPicture(page: Page, name: string): Promise<void> {
  const shown = (await page.locator('body').allInnerTexts()).join('\n');
  const [early] = unfinished.exec(shown) ?? [];
  if (early !== undefined) throw new Error(`${name}.png would show "${early}".`);
  write(name, shrinkPng(await screenOf(page)), largest.picture);
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
