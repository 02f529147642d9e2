/** Whether SQL of a project uses objects that a Supabase database has before the first migration: see `supabase.ts`. */
export function buildsOnSupabase(sql: string): boolean {
  return traces.test(sql);
}

const traces =
  /\b(?:auth|storage|extensions|realtime|vault|net|cron|graphql|graphql_public|supabase_functions)\s*\.\s*["a-z]|\b(?:anon|authenticated|authenticator|service_role|supabase_\w+|pgsodium)\b|\bschema\s+"?extensions\b/i;
