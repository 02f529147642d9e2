/**
 * Line drawings on a grid of 16, in the colour of the text around them. They are decoration, because the text contains the same
 * information.
 */
const drawings = {
  map: 'M3 3.5h3.5v3H3zM3 9.5h3.5v3H3zM10 6.5h3.5v3H10zM6.5 5h1.2c1 0 1 3 2.3 3M6.5 11h1.2c1 0 1-3 2.3-3',
  devices: 'M2.5 3.5h8v6h-8zM4.5 12.5h4M6.5 9.5v3M11.5 6.5h2.5v6.5h-2.5z',
  data: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M6.5 3.5v9',
  service: 'M1.5 8.5h3l1.8-5 3 9 2-4h3.2',
  large: 'M3 13V8M6.3 13V3M9.7 13V6M13 13v-3',
  close: 'M4 4l8 8M12 4l-8 8',
  right: 'M6 3.5L10.5 8 6 12.5',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  warning: 'M8 2.5l6 11H2zM8 6.5v3.2M8 11.6v.4',
  error: 'M8 2a6 6 0 1 0 .01 0zM8 5v3.6M8 10.8v.4',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  search: 'M7 2.5a4.5 4.5 0 1 0 .01 0zM10.3 10.3L14 14',
  theme: 'M8 2a6 6 0 1 0 .01 0zM8 2v12',
  deploy: 'M8 10.5V2.5M4.8 5.5L8 2.5l3.2 3M2.5 10v3.5h11V10',
  restart: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3',
  start: 'M5 3l8 5-8 5z',
  migration: 'M3 4.5h10M3 8h6M3 11.5h6M12 7v6M9.8 11l2.2 2.2 2.2-2.2',
  add: 'M8 3v10M3 8h10',
  delete: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5',
} as const;

export type IconName = keyof typeof drawings;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={drawings[name]} />
    </svg>
  );
}
