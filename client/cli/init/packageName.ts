/**
 * The name of the npm package of this program. It is not published yet, so nothing may install it by its name. It has a scope,
 * because the owner of the scope owns every name in it, while the first one to take `headwater` would own that.
 */
export const packageName = '@headwater/cli';
