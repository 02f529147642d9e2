/**
 * The names in FROM and how they are looked up. Names of tables, aliases and CTEs ignore case and quotes. The stage that fills the
 * scope decides what an item is.
 */
import type { Select } from '../sql/ast.ts';

interface NamedItem {
  readonly name: string;
}

export interface Scope<Item extends NamedItem> {
  /** The query to which this FROM belongs. */
  readonly select: Select;
  /** The items in reading order. The list grows while FROM is read, because a table function sees only the items before it. */
  readonly items: readonly Item[];
  /** The index of the first item with each name, by {@link nameKey}. */
  readonly byName: ReadonlyMap<string, number>;
  /** The number of visible items, if not all are visible. ON does not see the joins after it. */
  readonly visible?: number;
  /** The scope of the surrounding query, whose names a subquery in an expression may use. */
  readonly parent?: Scope<Item>;
}

export interface OpenScope<Item extends NamedItem> extends Scope<Item> {
  readonly items: Item[];
  readonly byName: Map<string, number>;
}

export function openScope<Item extends NamedItem>(select: Select, parent?: Scope<Item>): OpenScope<Item> {
  return { select, items: [], byName: new Map(), ...(parent && { parent }) };
}

export function nameKey(name: string): string {
  return name.toLowerCase();
}

/** Adds an item. Returns false if its name is taken, in which case the first item keeps it. */
export function declare<Item extends NamedItem>(scope: OpenScope<Item>, item: Item): boolean {
  const key = nameKey(item.name);
  const index = scope.items.push(item) - 1;
  if (scope.byName.has(key)) return false;
  scope.byName.set(key, index);
  return true;
}

/** Returns the scope in its current state, unaffected by later declarations. */
export function upToHere<Item extends NamedItem>(scope: Scope<Item>): Scope<Item> {
  return { ...scope, visible: scope.items.length };
}

/** Returns the item with this name, in this scope or a surrounding one. */
export function findItem<Item extends NamedItem>(scope: Scope<Item>, name: string): Item | undefined {
  const key = nameKey(name);
  for (let at: Scope<Item> | undefined = scope; at; at = at.parent) {
    const index = at.byName.get(key);
    if (index !== undefined && index < (at.visible ?? at.items.length)) return at.items[index];
  }
  return undefined;
}

/** Returns all names that can be used here, innermost scope first. */
export function visibleNames<Item extends NamedItem>(scope: Scope<Item>): string[] {
  const names = new Set<string>();
  for (let at: Scope<Item> | undefined = scope; at; at = at.parent) {
    for (const { name } of at.items.slice(0, at.visible)) names.add(name);
  }
  return [...names];
}

/** Returns the item that an unqualified column belongs to, if there is exactly one item. */
export function onlyItem<Item extends NamedItem>(scope: Scope<Item>): Item | undefined {
  const { items, visible = items.length } = innermost(scope);
  return visible === 1 ? items[0] : undefined;
}

/** Returns the scope in which unqualified columns are looked up. A query without FROM uses that of the surrounding query. */
export function innermost<Item extends NamedItem>(scope: Scope<Item>): Scope<Item> {
  let at = scope;
  while (at.items.length === 0 && at.parent) at = at.parent;
  return at;
}
