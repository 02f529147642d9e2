/**
 * The roles of the embedded database. Scripts and clients are `postgres`, as on hosted PostgreSQL: the owner of the database, who
 * may do anything with its content, but is not a superuser. The superuser belongs to the service. PostgreSQL reserves the prefix
 * of its name, so no role of a project can have that name.
 */

export const ownerName = 'pg_headwater';
export const userName = 'postgres';

/** The oid of the role that `initdb` creates. This role is a superuser regardless of its attributes. */
export const ownerOid = 10;

/** The first oid of objects that are not created by `initdb`. */
const firstOid = 16_384;

/** Runs at each start, as a superuser. In databases of earlier versions, the superuser is called `postgres`. */
export const prepareRoles = `
DO $headwater$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_authid WHERE rolname = '${ownerName}') THEN
    UPDATE pg_authid SET rolname = '${ownerName}' WHERE oid = ${ownerOid};
    CREATE ROLE ${userName};
  END IF;
END $headwater$;
ALTER ROLE ${userName} LOGIN INHERIT CREATEDB CREATEROLE REPLICATION BYPASSRLS;
GRANT SET ON PARAMETER session_replication_role TO ${userName};
GRANT pg_read_all_data, pg_monitor, pg_checkpoint TO ${userName} WITH ADMIN OPTION;
`;

/**
 * Makes `postgres` the owner of everything that projects created with an earlier version; runs as a superuser. Members of
 * extensions still belong to the superuser, and an object that depends on another one follows the other one.
 */
export const handOver = `
DO $headwater$ DECLARE found record; BEGIN
  IF (SELECT datdba FROM pg_database WHERE datname = current_database()) <> ${ownerOid} THEN RETURN; END IF;
  -- No role may become the superuser.
  DELETE FROM pg_auth_members WHERE roleid = ${ownerOid};
  FOR found IN SELECT rolname FROM pg_roles WHERE oid >= ${firstOid} AND rolname <> '${userName}' LOOP
    EXECUTE format('GRANT %I TO ${userName} WITH ADMIN TRUE, INHERIT TRUE, SET TRUE', found.rolname);
  END LOOP;
  UPDATE pg_extension SET extowner = '${userName}'::regrole WHERE extowner = ${ownerOid} AND oid >= ${firstOid};
  UPDATE pg_publication SET pubowner = '${userName}'::regrole WHERE pubowner = ${ownerOid};
  UPDATE pg_default_acl SET defaclrole = '${userName}'::regrole,
    defaclacl = replace(defaclacl::text, '${ownerName}', '${userName}')::aclitem[] WHERE defaclrole = ${ownerOid};
  FOR found IN
    SELECT CASE WHEN type = 'statistics object' THEN 'statistics' ELSE type END AS type, identity
    FROM (${ownedObjects()}) AS owned (classid, objid, namespace), pg_identify_object(classid, objid, 0)
    WHERE (objid >= ${firstOid} OR classid = 'pg_largeobject'::regclass)
      AND (namespace IS NULL OR namespace NOT IN ('headwater', 'information_schema') AND namespace NOT LIKE 'pg\\_%')
      AND NOT EXISTS (SELECT FROM pg_depend AS d
        WHERE d.classid = owned.classid AND d.objid = owned.objid AND d.refobjid <> d.objid AND (d.deptype = 'e'
          OR d.refclassid IN ('pg_class'::regclass, 'pg_type'::regclass)
          AND (d.deptype = 'i' OR d.deptype = 'a' AND type = 'sequence')))
  LOOP
    EXECUTE format('ALTER %s %s OWNER TO ${userName}', found.type, found.identity);
  END LOOP;
  EXECUTE format('ALTER DATABASE %I OWNER TO ${userName}', current_database());
END $headwater$;
`;

function ownedObjects(): string {
  const catalogs = [
    ['pg_class', 'relowner', 'relnamespace', "relkind IN ('r', 'p', 'v', 'm', 'f', 'S')"],
    ['pg_type', 'typowner', 'typnamespace', "typtype <> 'm' AND typcategory <> 'A'"],
    ['pg_proc', 'proowner', 'pronamespace', 'true'],
    ['pg_operator', 'oprowner', 'oprnamespace', 'true'],
    ['pg_opclass', 'opcowner', 'opcnamespace', 'true'],
    ['pg_opfamily', 'opfowner', 'opfnamespace', 'true'],
    ['pg_collation', 'collowner', 'collnamespace', 'true'],
    ['pg_conversion', 'conowner', 'connamespace', 'true'],
    ['pg_ts_config', 'cfgowner', 'cfgnamespace', 'true'],
    ['pg_ts_dict', 'dictowner', 'dictnamespace', 'true'],
    ['pg_statistic_ext', 'stxowner', 'stxnamespace', 'true'],
  ] as const;
  const within = catalogs.map(
    ([catalog, owner, namespace, which]) => `
      SELECT '${catalog}'::regclass, c.oid, n.nspname FROM ${catalog} AS c JOIN pg_namespace AS n ON n.oid = ${namespace}
      WHERE ${owner} = ${ownerOid} AND ${which}`,
  );
  const others = [
    `SELECT 'pg_namespace'::regclass, oid, nspname FROM pg_namespace WHERE nspowner = ${ownerOid}`,
    `SELECT 'pg_largeobject'::regclass, oid, NULL FROM pg_largeobject_metadata WHERE lomowner = ${ownerOid}`,
  ];
  return [...within, ...others].join(' UNION ALL ');
}
