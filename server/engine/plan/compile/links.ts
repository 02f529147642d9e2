/**
 * Checks whether a branch can be evaluated. Every match must help to connect the rows with the request, or be part of a check that
 * some row exists. The elements of request data can only be read, not looked up by a value.
 *
 * The order in which the reference walks the matches determines what it rejects. This file uses the same order. `route.ts` decides
 * how the plan really gets from the request to the keys.
 */
import type { Branch, BranchLink, MatchLink, Side } from './branches.ts';
import { rowsOf } from './dependency.ts';
import type { Dependency, FunctionRelation, TableRelation } from './relations.ts';

/** Reports why a branch cannot be evaluated. */
export function checkLinks({ links }: Branch, output: TableRelation): void {
  const matches = links.filter((link) => link.kind === 'match');
  const byRows = matchesByRows(matches);
  const taken = new Set<MatchLink>();
  const reached = new Set<Dependency>([output]);

  const reach = (start: Dependency): void => {
    const waiting = [start];
    for (let rows = waiting.pop(); rows; rows = waiting.pop()) {
      if (rows.kind === 'request' || reached.has(rows)) continue;
      reached.add(rows);
      const inputs = (byRows.get(rows) ?? []).filter(
        (match) => !taken.has(match) && connects(match) && !touches(match, output),
      );
      for (const match of inputs) taken.add(match);
      if (rows.kind === 'function' && inputs.length > 0) reportPartition(rows);
      for (const match of inputs.reverse()) waiting.push(otherRows(match, rows));
    }
  };

  for (const match of matches) {
    if (!touches(match, output) || !connects(match)) continue;
    taken.add(match);
    reach(otherRows(match, output));
  }
  for (const rows of existenceChecks(links)) reach(rows);
  for (const match of matches) {
    if (!taken.has(match)) match.text.reportUse('unresolvable-filter', match.at.span, {});
  }
}

function matchesByRows(matches: readonly MatchLink[]): ReadonlyMap<Dependency, MatchLink[]> {
  const byRows = new Map<Dependency, MatchLink[]>();
  for (const match of matches) {
    for (const side of [match.left, match.right]) {
      const rows = rowsOf(side.of);
      const known = byRows.get(rows);
      if (known) known.push(match);
      else byRows.set(rows, [match]);
    }
  }
  return byRows;
}

function connects({ left, right }: MatchLink): boolean {
  return rowsOf(left.of) !== rowsOf(right.of);
}

function touches({ left, right }: MatchLink, rows: Dependency): boolean {
  return rowsOf(left.of) === rows || rowsOf(right.of) === rows;
}

function otherRows({ left, right }: MatchLink, rows: Dependency): Dependency {
  return rowsOf(left.of) === rows ? rowsOf(right.of) : rowsOf(left.of);
}

/** Returns the checks of the request first, followed by filters, each in reading order. */
function existenceChecks(links: readonly BranchLink[]): Dependency[] {
  const fromRequest = links.flatMap((link) => (link.kind === 'match' ? besideRequest(link) : []));
  const filtered = links.flatMap((link) =>
    link.kind === 'filter' && link.side.of ? [rowsOf(link.side.of)] : [],
  );
  return [...fromRequest, ...filtered];
}

function besideRequest({ left, right }: MatchLink): Dependency[] {
  const isRequest = (side: Side) => side.of.kind === 'request';
  if (isRequest(left)) return [rowsOf(right.of)];
  return isRequest(right) ? [rowsOf(left.of)] : [];
}

/** Reports a table function. If IN implies the function, the entire text is marked, because its place is the entire condition. */
function reportPartition({ text, syntax, at }: FunctionRelation): void {
  const whole = { start: 0, end: text.source.sql.text.trimEnd().length };
  text.reportUse('function-partition', syntax ? at.span : whole, {});
}
