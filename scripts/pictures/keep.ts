/** Where pictures are kept, and how large one may be. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../root.ts';
import { shrinkPng } from './png.ts';

const folder = join(root, 'docs/pictures');

/** Bytes. */
const largest = 150_000;

/** Of all that the page shows, without a cursor that blinks. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const picture = shrinkPng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
  if (picture.length > largest)
    throw new Error(`${name}.png has ${picture.length} bytes; ${largest} are allowed. Show less.`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), picture);
  console.log(`docs/pictures/${name}.png, ${Math.ceil(picture.length / 1_000)} KB`);
}
