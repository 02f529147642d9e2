/** The functions by which a claim of `always` reads the user who has a row, as claims write them and as SQLite calls them. */

/** The functions that SQLite has to know, with the number of their arguments. */
export const claimFunctions = {
  auth_user_id: 0,
  auth_parameter: 1,
  auth_parameters: 0,
  connection_parameter: 1,
  connection_parameters: 0,
} as const;

/** Matches the calls of these functions. An entire text or quoted name is one match, so that nothing inside of it is a call. */
export const userCall = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(auth|connection)\s*\.\s*(\w+)\s*(?=\()/gi;

/** The first function of `auth` or `connection` that a claim calls although there is none. */
export function unknownFunctionIn(holds: string): string | undefined {
  const names = [...holds.matchAll(userCall)].flatMap(([, schema, name]) =>
    schema === undefined ? [] : `${schema}.${name}`.toLowerCase(),
  );
  return names.find((name) => !functionNames.includes(name));
}

export const functionNames = Object.keys(claimFunctions).map((name) => name.replace('_', '.'));
