/**
 * The name of the npm package of this program. It is not published yet, so nothing may install it by its name. It has a scope,
 * because whoever owns the scope owns every name in it, while `headwater` belongs to whoever takes it first.
 */
export const packageName = '@headwater/cli';
