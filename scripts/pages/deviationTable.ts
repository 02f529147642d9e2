/** Writes the table of `docs/SERVICE.md` about configs that Headwater judges differently from PowerSync's service. */
import { type Deviation, deviations } from '../../test/engine/deviations.ts';
import { renderSection } from './section.ts';

/** The words of the page for each kind. The leaks come first, because they are the reason to look at the table. */
const kinds: Readonly<Record<Deviation['kind'], readonly [theirs: string, ours: string]>> = {
  leak: ['accepts it, and rows leak', 'refuses it'],
  'cannot work': ['accepts it, and it cannot work', 'refuses it'],
  crash: ['fails with an internal error', 'judges it'],
  place: ['marks another place', 'marks the right place'],
  warning: ['warns', 'does not warn'],
};

/** Returns the page with its table of deviations. */
export function renderDeviations(page: string): string {
  const rows = Object.entries(kinds).flatMap(([kind, [theirs, ours]]) =>
    Object.values(deviations)
      .filter((deviation) => deviation.kind === kind)
      .map(
        ({ reason, rule }) =>
          `| ${reason} | ${theirs} | ${ours}${rule === undefined ? '' : `: ${linkTo(rule)}`} |`,
      ),
  );
  const head = ["| Case | PowerSync's service | Headwater |", '| --- | --- | --- |'];
  return renderSection(page, 'the deviations', [...head, ...rows].join('\n'));
}

function linkTo(rule: string): string {
  return `[\`${rule}\`](rules/${rule}.md)`;
}
