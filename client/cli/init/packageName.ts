/**
 * The name of the npm package of this program. The package is not published yet, so nothing may install it by its name. The
 * name has a scope, because the owner of a scope owns every name in it, but anyone could be the first to take the name
 * `headwater`.
 */
export const packageName = '@headwater/cli';
