/** Takes the pictures of the console: a real service with `examples/team-chat`, and devices of its users. */
import type { Browser, Page } from 'playwright-core';
import { openPage } from '../rigs/browser.ts';
import { keepPicture } from './keep.ts';
import { startTeamChat, type TeamChat } from './teamChat.ts';

/** The size of a picture in pixels. */
const size = { width: 1000, height: 600 };
/** The size for pictures with three panes side by side. */
const wide = { width: 1280, height: 720 };

interface Scene {
  readonly size?: Partial<typeof size>;
  readonly colours?: 'light' | 'dark';
  readonly act: (page: Page, chat: TeamChat) => Promise<void>;
}

/** How long to wait in milliseconds, so that charts have data to show. */
const someHistory = 45_000;

const scenes: Readonly<Record<string, Scene>> = {
  'console-map': { size: { height: 580 }, act: showMapOfOneUser },
  'console-map-dark': {
    size: { height: 580 },
    colours: 'dark',
    act: async (page, chat) => {
      // No stream reads this table.
      chat.sql('CREATE TABLE IF NOT EXISTS drafts (id text PRIMARY KEY, body text)');
      await show(page, 'map');
      await page.reload();
      await page.getByText('Not synced').first().waitFor();
      await page.locator('[data-layout="done"]').waitFor();
    },
  },
  'console-devices': {
    size: wide,
    act: async (page, chat) => {
      await show(page, 'devices');
      await page
        .getByRole('listbox', { name: 'Connected clients' })
        .getByRole('option', { name: /ada/ })
        .click();
      await page.locator('[data-device="live"]').waitFor();
      await page.getByRole('tab', { name: /messages/ }).click();
      // The list of clients updates their positions every second, and the mark of a new row is visible a little longer.
      do {
        chat.sql(
          "INSERT INTO messages (channel_id, author_id, body) VALUES ('general', 'mary', 'Two of the three are fixed.')",
        );
        await page.locator('.grid-row.came').waitFor();
        await page.waitForFunction(() => {
          const [, live] =
            /operation (\d+)/.exec(document.querySelector('.device-state')?.textContent ?? '') ?? [];
          return document
            .querySelector('[role="option"][aria-selected="true"]')
            ?.textContent?.includes(`op ${live}`);
        });
      } while ((await page.locator('.grid-row.came').count()) === 0);
    },
  },
  'console-why': {
    size: wide,
    act: async (page) => {
      await show(page, 'devices');
      await page
        .getByRole('listbox', { name: 'Connected clients' })
        .getByRole('option', { name: /grace/ })
        .click();
      await page.locator('[data-device="live"]').waitFor();
      await page.getByRole('button', { name: 'In the source, not here' }).click();
      await page.getByLabel('Table').selectOption('reports');
      await page.locator('.why').first().click();
      await page.locator('.why-panel mark').first().waitFor();
    },
  },
  'console-data': {
    act: async (page) => {
      await show(page, 'data?table=members');
      await page.getByRole('button', { name: 'members', exact: true }).click();
      await page.getByRole('gridcell', { name: 'm2', exact: true }).waitFor();
      await page
        .locator('[role="row"]', { hasText: 'm2' })
        .getByRole('gridcell', { name: 'member', exact: true })
        .focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('role of members').fill('moderator');
      await page.keyboard.press('Enter');
      await page.getByText(/On \d devices? after/).waitFor();
    },
  },
  'console-service': {
    size: { height: 684 },
    act: async (page) => {
      await show(page, 'service');
      await page.waitForTimeout(someHistory);
    },
  },
  'console-slow-and-large': {
    act: async (page) => {
      await show(page, 'slow-and-large');
    },
  },
};

/** @param chosen the names of pictures; none: all pictures */
export async function takeConsole(browser: Browser, chosen: readonly string[]): Promise<void> {
  const wanted = Object.entries(scenes).filter(([name]) => chosen.length === 0 || chosen.includes(name));
  if (wanted.length === 0) return;
  const chat = await startTeamChat();
  const page = await openPage(browser);
  try {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto(chat.link());
    await page.locator('[data-link="connected"]').waitFor();
    for (const [name, { size: own, colours, act }] of wanted) {
      await page.setViewportSize({ ...size, ...own });
      await page.emulateMedia({ colorScheme: colours ?? 'light' });
      await act(page, chat);
      await keepPicture(page, name);
    }
  } finally {
    await page.close();
    await chat.stop();
  }
}

/** Shows which streams a user gets. */
async function showMapOfOneUser(page: Page): Promise<void> {
  await show(page, 'map');
  await page.getByLabel("Show one user's streams").fill('linus');
  await page.locator('[data-layout="done"]').waitFor();
}

async function show(page: Page, address: string): Promise<void> {
  // The mouse would otherwise stay where it was and hover over something.
  await page.mouse.move(0, 0);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${address}`);
  await page.locator(`nav a[href="#/${address.split('?')[0]}"][aria-current="page"]`).waitFor();
}
