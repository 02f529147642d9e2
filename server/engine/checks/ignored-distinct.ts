import type { Check } from './check.ts';

export const ignoredDistinct: Check = {
  code: 'ignored-distinct',
  checkSelect: ({ select: { distinct }, report }) => {
    if (distinct) report('ignored-distinct', distinct, {});
  },
};
