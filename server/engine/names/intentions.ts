/** Infers intentions from names: that rows are meant for everyone, or that users are privileged. */

const publicWord =
  /^(?:public|published?|publicly|publication|shared|global|templates?|visible|featured|listed|open|default|system|broadcast|everyone|everybody|anyone|all|announced?|announcement|demo|sample|approved|live|released|online|any|internet|world|company|companywide|community|builtin)$/;

/** Whether the name of a column, or one of its values, shows that rows are meant for everyone: `is_public`, `published`. */
export function namesPublication(name: string): boolean {
  return wordsOf(name).some((word) => publicWord.test(word));
}

const privilegedWord =
  /^(?:admins?|administrators?|superadmins?|superusers?|moderators?|operators?|roots?|auditors?|supervisors?|dispatchers?|owners?)$/;

/** Whether only privileged users are listed in a table of this name: `admins`, `platform_admins`. */
export function namesPrivilegedUsers(table: string): boolean {
  return wordsOf(table).some((word) => privilegedWord.test(word));
}

const roleWord =
  /^(?:role|roles|admin|superuser|superadmin|staff|permission|permissions|privilege|privileges|level|rank|clearance|capability|kind|type)$/;

/** Whether a column says what a user may do: `role`, `is_admin`. */
export function namesRole(column: string): boolean {
  return wordsOf(column).some((word) => roleWord.test(word));
}

const groupWord =
  /^(?:members?|memberships?|participants?|participations?|enrol?lments?|enrolled|assignments?|teams?|subscribers?|subscriptions?|crews?|followers?|collaborators?|attendees?|students?|invites?|invitations?|shares?|seats?|guardians?)$/;

/** Whether rows of a table say to which of many groups a user belongs: `channel_members`. */
export function namesMembership(table: string): boolean {
  return wordsOf(table).some((word) => groupWord.test(word));
}

/** `isPublic` and `is_public` have the words `is` and `public`. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
