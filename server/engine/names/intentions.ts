/** Infers intentions from names: that rows are intended for everyone, or that users are privileged. */

const publicWord =
  /^(?:public|published?|publicly|publication|shared|global|templates?|visible|featured|listed|open|default|system|broadcast|everyone|everybody|anyone|all|announced?|announcement|demo|sample|approved|live|released|online|any|internet|world|company|companywide|community|builtin)$/;

/** Whether the name of a column, or one of its values, shows that rows are intended for everyone: `is_public`, `published`. */
export function namesPublication(name: string): boolean {
  return wordsOf(name).some((word) => publicWord.test(word));
}

const privilegedWord =
  /^(?:admins?|administrators?|superadmins?|superusers?|moderators?|operators?|roots?|auditors?|supervisors?|dispatchers?|owners?)$/;

/** Whether the name of a table shows that it lists only privileged users: `admins`, `platform_admins`. */
export function namesPrivilegedUsers(table: string): boolean {
  return wordsOf(table).some((word) => privilegedWord.test(word));
}

const roleWord =
  /^(?:role|roles|admin|superuser|superadmin|staff|permission|permissions|privilege|privileges|level|rank|clearance|capability|kind|type)$/;

/** Whether a column contains a user's permissions: `role`, `is_admin`. */
export function namesRole(column: string): boolean {
  return wordsOf(column).some((word) => roleWord.test(word));
}

const groupWord =
  /^(?:members?|memberships?|participants?|participations?|enrol?lments?|enrolled|assignments?|teams?|subscribers?|subscriptions?|crews?|followers?|collaborators?|attendees?|students?|invites?|invitations?|shares?|seats?|guardians?)$/;

/** Whether the rows of a table assign users to one of many groups: `channel_members`. */
export function namesMembership(table: string): boolean {
  return wordsOf(table).some((word) => groupWord.test(word));
}

/** Splits a name into words. Both `isPublic` and `is_public` consist of the words `is` and `public`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
