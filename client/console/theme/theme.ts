/** The theme, one of three sets of colours. An editor chooses its own, by classes of the body. */
import { computed, effect, signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark', 'contrast'] as const;
type Theme = (typeof themes)[number];

const key = 'headwater-console-theme';

/** The theme that the user has chosen. */
export const chosenTheme = signal<Theme>('system');

/** Follows the choice and the system until the page is left. */
export function followTheme(page: Window): void {
  const dark = page.matchMedia('(prefers-color-scheme: dark)');
  const contrast = page.matchMedia('(prefers-contrast: more)');
  const ofSystem = signal(systemTheme(dark.matches, contrast.matches));
  for (const query of [dark, contrast])
    query.addEventListener('change', () => {
      ofSystem.value = systemTheme(dark.matches, contrast.matches);
    });
  chosenTheme.value = themes.find((each) => each === read(page)) ?? 'system';
  const shown = computed(() => (chosenTheme.value === 'system' ? ofSystem.value : chosenTheme.value));
  effect(() => {
    page.document.documentElement.dataset.theme = shown.value;
  });
}

export function chooseTheme(theme: Theme, page: Window = window): void {
  chosenTheme.value = theme;
  try {
    page.localStorage.setItem(key, theme);
  } catch {
    // Private windows may have no storage. Then the choice lasts until the user leaves the page.
  }
}

function read(page: Window): string | null {
  try {
    return page.localStorage.getItem(key);
  } catch {
    return null;
  }
}

function systemTheme(isDark: boolean, hasContrast: boolean): Theme {
  if (hasContrast) return 'contrast';
  return isDark ? 'dark' : 'light';
}
