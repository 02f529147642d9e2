/** What a claim of `always` calls to read the user who has a row: as it is written, and as SQLite knows it. */
/** The functions that SQLite has to know, with how many arguments they take. */
export const claimFunctions = {
  auth_user_id: 0,
  auth_parameter: 1,
  auth_parameters: 0,
  connection_parameter: 1,
  connection_parameters: 0,
} as const;

/** The name of such a function, where it is called; texts and quoted names are matched as a whole. */
export const userCall = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(auth|connection)\s*\.\s*(\w+)\s*(?=\()/gi;

/** The first function of `auth` or `connection` that a claim calls although there is none. */
export function unknownFunctionIn(holds: string): string | undefined {
  const names = [...holds.matchAll(userCall)].flatMap(([, schema, name]) =>
    schema === undefined ? [] : `${schema}.${name}`.toLowerCase(),
  );
  return names.find((name) => !functionNames.includes(name));
}

export const functionNames = Object.keys(claimFunctions).map((name) => name.replace('_', '.'));
