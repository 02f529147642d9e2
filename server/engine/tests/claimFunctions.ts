/** The functions by which a claim of `always` reads the user who has a row, with their names in claims and in SQLite. */

/** The functions to register in SQLite, with their numbers of arguments. */
export const claimFunctions = {
  auth_user_id: 0,
  auth_parameter: 1,
  auth_parameters: 0,
  connection_parameter: 1,
  connection_parameters: 0,
} as const;

/** Matches calls of these functions. A string or quoted name is a single match, so nothing inside it is a call. */
export const userCall = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(auth|connection)\s*\.\s*(\w+)\s*(?=\()/gi;

/** Returns the first function of `auth` or `connection` that a claim calls but that does not exist. */
export function unknownFunctionIn(holds: string): string | undefined {
  const names = [...holds.matchAll(userCall)].flatMap(([, schema, name]) =>
    schema === undefined ? [] : `${schema}.${name}`.toLowerCase(),
  );
  return names.find((name) => !functionNames.includes(name));
}

export const functionNames = Object.keys(claimFunctions).map((name) => name.replace('_', '.'));
