/** Returns the name of a table as users write it: tables of the schema `public` need no schema. */
export function shownName({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return schema === 'public' ? name : `${schema}.${name}`;
}
