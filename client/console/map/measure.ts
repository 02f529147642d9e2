/** Measures texts in the fonts of the page. */
import { useMemo } from 'preact/hooks';
import type { MapFont, Measure } from './sizes.ts';

/** Returns the measure of the current theme. Widths are cached, because most words occur many times. */
export function useMeasure(): Measure {
  return useMemo(() => {
    const style = getComputedStyle(document.documentElement);
    const rem = Number.parseFloat(style.fontSize);
    const family = (name: string) => style.getPropertyValue(name).trim() || 'sans-serif';
    const fonts: Readonly<Record<MapFont, string>> = {
      name: `550 ${rem}px ${family('--sans')}`,
      code: `550 ${0.925 * rem}px ${family('--mono')}`,
      small: `${0.8125 * rem}px ${family('--sans')}`,
    };
    const context = document.createElement('canvas').getContext('2d');
    const widths = new Map<string, number>();
    return {
      rem,
      widthOf(text, font) {
        const key = `${font} ${text}`;
        const known = widths.get(key);
        if (known !== undefined || context === null) return known ?? (text.length * rem) / 2;
        context.font = fonts[font];
        const { width } = context.measureText(text);
        widths.set(key, width);
        return width;
      },
    };
  }, []);
}
