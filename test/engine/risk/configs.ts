/**
 * Configs as apps have them, each with or without a leak. A leak sends users rows that are not compared with anything of
 * theirs. Each text is a query, or a whole file if it contains a line break.
 */

/** Tables of the apps. Each config is checked without them, and also with them if it is marked `with tables`. */
export const appTables = `
CREATE TABLE users (id uuid PRIMARY KEY, email text, name text, role text);
CREATE TABLE orgs (id uuid PRIMARY KEY, name text);
CREATE TABLE memberships (id uuid PRIMARY KEY, org_id uuid REFERENCES orgs, user_id uuid REFERENCES users, role text);
CREATE TABLE projects (id uuid PRIMARY KEY, org_id uuid REFERENCES orgs, name text, archived boolean);
CREATE TABLE tickets (id uuid PRIMARY KEY, project_id uuid REFERENCES projects, assignee uuid REFERENCES users, title text);
CREATE TABLE diary (id uuid PRIMARY KEY, person uuid REFERENCES users, body text);
CREATE TABLE journals (id uuid PRIMARY KEY, created_by uuid, body text);
CREATE TABLE drafts (id uuid PRIMARY KEY, author_id uuid, body text);
CREATE TABLE reminders (id uuid PRIMARY KEY, user_id uuid, at text);
CREATE TABLE wallets (id uuid PRIMARY KEY, owner_id uuid, balance int);
CREATE TABLE currencies (id text PRIMARY KEY, name text);
CREATE TABLE holidays (id text PRIMARY KEY, name text, day text);
CREATE TABLE posts (id uuid PRIMARY KEY, author_id uuid, title text, status text);
`;

const three = (streams: string) => `config:\n  edition: 3\nstreams:\n${streams}`;

export const leaking: readonly string[] = [
  // SaaS teams
  `SELECT * FROM invoices WHERE auth.user_id() IN (SELECT user_id FROM memberships)`,
  `SELECT i.* FROM invoices i JOIN memberships m ON m.user_id = auth.user_id()`,
  `SELECT i.* FROM invoices AS i, memberships AS m WHERE m.user_id = auth.user_id() AND i.paid = 0`,
  `SELECT * FROM projects WHERE subscription.parameter('org') IN (SELECT org_id FROM memberships WHERE user_id = auth.user_id())`,
  `SELECT * FROM projects WHERE subscription.parameter('org') = auth.parameter('org_id')`,
  `SELECT * FROM projects WHERE org_id = auth.parameter('org_id') OR archived = 0`,
  `SELECT * FROM projects WHERE org_id = auth.parameter('org_id') OR name IS NOT NULL`,
  `SELECT * FROM projects WHERE org_id = auth.parameter('org_id') OR 2 > 1`,
  `SELECT * FROM tickets WHERE org_id = auth.parameter('org_id') AND priority = 1 OR state = 'todo'`,
  `SELECT * FROM api_keys WHERE auth.parameter('role') = 'authenticated'`,
  `SELECT * FROM audit_log WHERE auth.user_id() IS NOT NULL AND level = 'info'`,
  `SELECT * FROM contracts WHERE org_id IN (SELECT org_id FROM memberships WHERE user_id = auth.user_id() OR role = 'viewer')`,
  `SELECT * FROM projects WHERE org_id = auth.parameter('user_metadata') ->> 'org'`,
  `SELECT * FROM payrolls WHERE auth.parameter('user_metadata') ->> 'role' = 'hr'`,
  `SELECT * FROM invites WHERE address = auth.parameter('email')`,
  `SELECT * FROM projects WHERE org_id IN (SELECT org_id FROM people WHERE mail = auth.parameter('email'))`,
  `SELECT * FROM projects WHERE org_id = connection.parameter('org')`,
  `SELECT * FROM projects WHERE org_id = ifnull(subscription.parameter('org'), auth.parameter('org_id'))`,
  three(
    `  s:\n    with:\n      mine: SELECT org_id FROM memberships WHERE user_id = auth.user_id()\n    query: SELECT * FROM projects WHERE subscription.parameter('org') IN mine\n`,
  ),
  three(
    `  s:\n    with:\n      me: SELECT id FROM users WHERE id = auth.user_id()\n    query: SELECT p.* FROM projects p, me WHERE p.archived = 0\n`,
  ),
  three(
    `  mine:\n    query: SELECT * FROM tasks WHERE org_id = auth.parameter('org_id')\n  other:\n    query: SELECT * FROM tasks\n`,
  ),
  // Chat
  `SELECT * FROM messages WHERE subscription.parameter('room') IN (SELECT room_id FROM room_users WHERE user_id = auth.user_id() AND active = 1)`,
  `SELECT m.* FROM messages m JOIN room_users r ON r.user_id = auth.user_id() AND r.room_id = subscription.parameter('room')`,
  `SELECT m.* FROM messages m JOIN rooms r JOIN room_users u ON u.room_id = r.id WHERE u.user_id = auth.user_id()`,
  `SELECT * FROM messages WHERE sender_id = auth.user_id() OR room_kind = 'direct'`,
  `SELECT * FROM messages WHERE room_id IN (SELECT room_id FROM room_users WHERE user_id = auth.user_id()) OR deleted_at IS NULL`,
  `SELECT * FROM messages WHERE room_id = subscription.parameter('room')`,
  `SELECT * FROM messages WHERE auth.user_id() = auth.user_id()`,
  `SELECT * FROM messages WHERE auth.user_id() IN (SELECT member_id FROM rooms_members WHERE banned = 0)`,
  `SELECT * FROM messages WHERE room_id IN (SELECT id FROM rooms WHERE slug = subscription.parameter('slug'))`,
  // Clinics
  `SELECT * FROM patients WHERE auth.user_id() IN (SELECT user_id FROM staff WHERE on_duty = 1)`,
  `SELECT p.* FROM patients p JOIN staff s ON s.user_id = auth.user_id() WHERE p.discharged = 0`,
  `SELECT * FROM prescriptions WHERE doctor_id = auth.user_id() OR urgent = 1`,
  `SELECT * FROM lab_results WHERE clinic_id = auth.parameter('clinic') OR abnormal = 0`,
  `SELECT * FROM lab_results WHERE clinic_id = auth.parameter('clinic') OR 'a' = 'a'`,
  `SELECT * FROM visits WHERE clinic_id = subscription.parameter('clinic') AND auth.user_id() IS NOT NULL`,
  `SELECT * FROM patients WHERE auth.parameter('clinic') IS NOT NULL`,
  `SELECT * FROM patients WHERE clinic_id = auth.parameter('raw_user_meta_data') ->> 'clinic_id'`,
  // Schools
  `SELECT * FROM grades WHERE subscription.parameter('course') IN (SELECT course_id FROM enrolments WHERE student_id = auth.user_id())`,
  `SELECT * FROM grades WHERE auth.parameter('school') = connection.parameter('school')`,
  `SELECT g.* FROM grades g, teachers t WHERE t.user_id = auth.user_id()`,
  `SELECT * FROM grades WHERE student_id = auth.user_id() OR term = '2024'`,
  `SELECT * FROM exams WHERE course_id IN (SELECT course_id FROM enrolments WHERE student_id = auth.user_id()) OR substring(title, 1, 3) = 'Mid'`,
  `SELECT * FROM exams WHERE auth.user_id() IN (SELECT guardian_id FROM pupils)`,
  // Delivery
  `SELECT * FROM parcels WHERE courier_id = auth.user_id() OR status = 'pending'`,
  `SELECT * FROM parcels WHERE auth.user_id() IN (SELECT id FROM couriers WHERE vehicle = 'bike')`,
  `SELECT * FROM stops WHERE subscription.parameter('route') IN (SELECT id FROM routes WHERE courier_id = auth.user_id())`,
  `SELECT s.* FROM stops s JOIN parcels p ON p.stop_id = s.id JOIN couriers c ON c.id = auth.user_id()`,
  `SELECT * FROM customers WHERE auth.parameter('depot') = subscription.parameter('depot') AND active = 1`,
  // Bucket definitions
  `bucket_definitions:\n  all:\n    parameters: SELECT id AS org FROM orgs\n    data:\n      - SELECT * FROM projects WHERE org_id = bucket.org\n`,
  `bucket_definitions:\n  staff:\n    parameters: SELECT FROM staff WHERE staff.user_id = request.user_id()\n    data:\n      - SELECT * FROM patients\n`,
  `bucket_definitions:\n  org:\n    parameters: SELECT request.parameters() ->> 'org' AS org\n    data:\n      - SELECT * FROM projects WHERE org_id = bucket.org\n`,
  `bucket_definitions:\n  org:\n    parameters: SELECT request.jwt() ->> 'user_metadata.org' AS org\n    data:\n      - SELECT * FROM projects WHERE org_id = bucket.org\n`,
  `bucket_definitions:\n  mine:\n    parameters: SELECT request.user_id() AS me\n    data:\n      - SELECT * FROM diary WHERE owner = bucket.me\n  rest:\n    data:\n      - SELECT * FROM diary\n`,
  // Configs checked with the tables
  'with tables: SELECT * FROM diary',
  'with tables: SELECT * FROM journals',
  'with tables: SELECT * FROM drafts',
  'with tables: SELECT * FROM reminders',
  'with tables: SELECT id, owner_id, balance FROM wallets',
  `with tables: SELECT * FROM tickets WHERE title IS NOT NULL`,
];

export const sound: readonly string[] = [
  // SaaS teams
  `SELECT * FROM invoices WHERE owner_id = auth.user_id()`,
  `SELECT * FROM invoices WHERE org_id = auth.parameter('org_id') AND paid = 0`,
  `SELECT * FROM projects WHERE org_id IN (SELECT org_id FROM memberships WHERE user_id = auth.user_id())`,
  `SELECT p.* FROM projects p JOIN memberships m ON m.org_id = p.org_id WHERE m.user_id = auth.user_id()`,
  `SELECT * FROM projects WHERE org_id = subscription.parameter('org') AND subscription.parameter('org') IN (SELECT org_id FROM memberships WHERE user_id = auth.user_id())`,
  `SELECT * FROM projects WHERE org_id = subscription.parameter('org') AND org_id IN (SELECT org_id FROM memberships WHERE user_id = auth.user_id())`,
  `SELECT * FROM projects WHERE org_id = subscription.parameter('org') AND subscription.parameter('org') = auth.parameter('org_id')`,
  `SELECT * FROM projects WHERE org_id IN auth.parameter('orgs')`,
  `SELECT * FROM projects WHERE org_id = subscription.parameter('org') AND org_id IN auth.parameter('orgs')`,
  `SELECT * FROM projects WHERE owner_id = auth.user_id() OR is_public = 1`,
  `SELECT * FROM templates WHERE org_id = auth.parameter('org_id') OR org_id IS NULL`,
  `SELECT * FROM templates WHERE org_id = auth.parameter('org_id') OR visibility = 'public'`,
  `SELECT * FROM audit_log WHERE auth.parameter('role') = 'admin'`,
  `SELECT * FROM audit_log WHERE auth.parameter('app_metadata') ->> 'role' = 'admin'`,
  `SELECT * FROM audit_log WHERE auth.user_id() IN (SELECT user_id FROM admins)`,
  `SELECT * FROM audit_log WHERE auth.user_id() IN (SELECT id FROM users WHERE role = 'auditor')`,
  `SELECT * FROM audit_log WHERE 'admin' IN auth.parameter('roles')`,
  `SELECT * FROM invites WHERE address = auth.parameter('email') AND auth.parameter('email_verified') = 1`,
  `SELECT * FROM tasks WHERE owner_id = auth.user_id() AND org_id = auth.parameter('user_metadata') ->> 'org'`,
  `SELECT * FROM plans`,
  `SELECT * FROM plans WHERE active = 1`,
  `SELECT * FROM feature_flags WHERE enabled = 1`,
  three(
    `  s:\n    with:\n      mine: SELECT org_id FROM memberships WHERE user_id = auth.user_id()\n    query: SELECT * FROM projects WHERE org_id IN mine AND org_id = subscription.parameter('org')\n`,
  ),
  three(
    `  me:\n    query: SELECT * FROM users WHERE id = auth.user_id()\n  people:\n    query: SELECT id, name FROM users\n`,
  ),
  three(
    `  all:\n    accept_potentially_dangerous_queries: true\n    query: SELECT * FROM news WHERE auth.user_id() IS NOT NULL\n`,
  ),
  three(
    `  shared:\n    accept_potentially_dangerous_queries: true\n    query: SELECT * FROM pages WHERE owner_id = auth.user_id() OR archived = 0\n`,
  ),
  // Chat
  `SELECT * FROM messages WHERE room_id IN (SELECT room_id FROM room_users WHERE user_id = auth.user_id()) AND room_id = subscription.parameter('room')`,
  `SELECT m.* FROM messages m JOIN rooms r ON r.id = m.room_id JOIN room_users u ON u.room_id = r.id WHERE u.user_id = auth.user_id()`,
  `SELECT * FROM messages WHERE sender_id = auth.user_id() OR receiver_id = auth.user_id()`,
  `SELECT * FROM rooms WHERE id IN (SELECT room_id FROM room_users WHERE user_id = auth.user_id()) OR open = 1`,
  `SELECT u.* FROM users u JOIN room_users a ON a.user_id = u.id JOIN room_users b ON b.room_id = a.room_id WHERE b.user_id = auth.user_id()`,
  `SELECT * FROM devices WHERE user_id = auth.user_id() AND id = connection.parameter('device')`,
  `SELECT * FROM emojis`,
  `SELECT * FROM messages WHERE room_id IN (SELECT id FROM rooms WHERE id IN (SELECT room_id FROM room_users WHERE user_id = auth.user_id()))`,
  // Clinics
  `SELECT * FROM patients WHERE clinic_id = auth.parameter('clinic_id')`,
  `SELECT p.* FROM patients p JOIN staff s ON s.clinic_id = p.clinic_id AND s.user_id = auth.user_id()`,
  `SELECT * FROM patients WHERE id IN (SELECT patient_id FROM treatments WHERE doctor_id = auth.user_id())`,
  `SELECT * FROM patients WHERE clinic_id = subscription.parameter('c') AND subscription.parameter('c') IN (SELECT clinic_id FROM staff WHERE user_id = auth.user_id())`,
  `SELECT * FROM prescriptions WHERE doctor_id = auth.user_id() OR patient_id = auth.user_id()`,
  `SELECT * FROM icd_codes`,
  `SELECT * FROM medicines WHERE withdrawn = 0`,
  `SELECT * FROM visits WHERE auth.parameter('role') = 'nurse' AND ward = auth.parameter('ward')`,
  // Schools
  `SELECT * FROM grades WHERE student_id = auth.user_id()`,
  `SELECT * FROM grades WHERE student_id IN (SELECT pupil_id FROM guardians WHERE user_id = auth.user_id())`,
  `SELECT * FROM lessons WHERE course_id IN (SELECT course_id FROM enrolments WHERE student_id = auth.user_id())`,
  `SELECT * FROM lessons WHERE teacher_id = auth.user_id() OR course_id IN (SELECT course_id FROM enrolments WHERE student_id = auth.user_id())`,
  `SELECT l.* FROM lessons l INNER JOIN courses c ON l.course_id = c.id INNER JOIN enrolments e ON e.course_id = c.id WHERE e.student_id = auth.user_id() AND c.id = subscription.parameter('course')`,
  `SELECT * FROM announcements WHERE published_at IS NOT NULL`,
  // Delivery
  `SELECT * FROM parcels WHERE courier_id = auth.user_id() AND status = 'pending'`,
  `SELECT * FROM stops WHERE route_id IN (SELECT id FROM routes WHERE courier_id = auth.user_id() OR helper_id = auth.user_id())`,
  `SELECT * FROM parcels WHERE depot_id = auth.parameter('depot') AND (status = 'pending' OR status = 'late')`,
  `SELECT * FROM parcels WHERE auth.user_id() IN (SELECT user_id FROM dispatchers)`,
  `SELECT * FROM parcels WHERE upper(region) = auth.parameter('region')`,
  // Bucket definitions
  `bucket_definitions:\n  org:\n    parameters: SELECT org_id FROM memberships WHERE user_id = request.user_id()\n    data:\n      - SELECT * FROM projects WHERE org_id = bucket.org_id\n      - SELECT * FROM tickets WHERE org_id = bucket.org_id\n`,
  `bucket_definitions:\n  me:\n    parameters: SELECT request.user_id() AS me\n    data:\n      - SELECT * FROM diary WHERE owner = bucket.me\n  shared:\n    data:\n      - SELECT * FROM currencies\n`,
  `bucket_definitions:\n  org:\n    parameters: SELECT request.jwt() ->> 'app_metadata.org' AS org\n    data:\n      - SELECT * FROM projects WHERE org_id = bucket.org\n`,
  `bucket_definitions:\n  admins:\n    parameters: SELECT id AS admin FROM users WHERE users.id = request.user_id() AND users.role = 'admin'\n    data:\n      - SELECT * FROM logs WHERE admin_id = bucket.admin\n`,
  // Configs checked with the tables
  'with tables: SELECT * FROM currencies',
  `with tables: SELECT * FROM tickets WHERE project_id IN (SELECT id FROM projects WHERE org_id IN (SELECT org_id FROM memberships WHERE user_id = auth.user_id()))`,
  `with tables: SELECT * FROM posts WHERE status = 'published'`,
];
