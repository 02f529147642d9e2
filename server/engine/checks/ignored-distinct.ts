import type { ConfigCheck } from './check.ts';

export const ignoredDistinct: ConfigCheck = {
  code: 'ignored-distinct',
  checkSelect: ({ select: { distinct }, report }) => {
    if (distinct) report('ignored-distinct', distinct, {});
  },
};
