/**
 * Names of FROM and where they are looked up. Table names, aliases and CTE names are found without regard to
 * case and quotes; what an item stands for is the business of the stage that fills the scope.
 */
import type { Select } from '../sql/ast.ts';

export interface Scope<Item extends { readonly name: string }> {
  /** The query whose FROM this is. */
  readonly select: Select;
  /** In reading order. Grows while FROM is read: a table function sees only what stands before it. */
  readonly items: readonly Item[];
  readonly byName: ReadonlyMap<string, Item>;
  /** Of the query around it, whose names a subquery in an expression may use. */
  readonly parent?: Scope<Item>;
}

export interface OpenScope<Item extends { readonly name: string }> extends Scope<Item> {
  readonly items: Item[];
  readonly byName: Map<string, Item>;
}

export function openScope<Item extends { readonly name: string }>(
  select: Select,
  parent?: Scope<Item>,
): OpenScope<Item> {
  return { select, items: [], byName: new Map(), ...(parent && { parent }) };
}

export function keyOf(name: string): string {
  return name.toLowerCase();
}

/** Adds an item. False if its name is taken: then the first one keeps it. */
export function declare<Item extends { readonly name: string }>(scope: OpenScope<Item>, item: Item): boolean {
  const key = keyOf(item.name);
  scope.items.push(item);
  if (scope.byName.has(key)) return false;
  scope.byName.set(key, item);
  return true;
}

/** The item of that name, in this scope or around it. */
export function findItem<Item extends { readonly name: string }>(
  scope: Scope<Item>,
  name: string,
): Item | undefined {
  const key = keyOf(name);
  for (let at: Scope<Item> | undefined = scope; at; at = at.parent) {
    const item = at.byName.get(key);
    if (item) return item;
  }
  return undefined;
}

/** All names that can be used here, inner ones first. */
export function visibleNames<Item extends { readonly name: string }>(scope: Scope<Item>): string[] {
  const names = new Set<string>();
  for (let at: Scope<Item> | undefined = scope; at; at = at.parent) {
    for (const { name } of at.items) names.add(name);
  }
  return [...names];
}

/**
 * The items that an unqualified column may belong to: those of the innermost FROM. A query without FROM uses
 * the one around it.
 */
export function innermostItems<Item extends { readonly name: string }>(scope: Scope<Item>): readonly Item[] {
  let at = scope;
  while (at.items.length === 0 && at.parent) at = at.parent;
  return at.items;
}
