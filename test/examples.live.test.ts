/** Runs each example as its README describes, and checks that rows written to its database arrive in its client. */
import { expect, test } from 'vitest';
import { type Example, startExample } from './support/processes/example.ts';

function write(example: Example, sql: string): void {
  example.headwater('sql', '--database', example.database, sql);
}

test('todo shows the todos of a list, and each change to them', async () => {
  const todo = await startExample('todo');
  const app = todo.startClient('ada');
  await app.until('+ [ ] Olives\n');
  await app.until('+ [x] Bread\n');
  const milk = `list_id, description) VALUES ('00000000-0000-0000-0000-000000000001', 'Milk')`;
  write(todo, `INSERT INTO todos (${milk}`);
  await app.until('+ [ ] Milk\n');
  write(todo, `UPDATE todos SET completed = true WHERE description = 'Milk'`);
  await app.until('~ [x] Milk\n');
  write(todo, `DELETE FROM todos WHERE description = 'Milk'`);
  await app.until('- [x] Milk\n');
  expect(app.said()).not.toContain('surprise');
});

test('todo sends its writes to its backend, and receives them back', async () => {
  const todo = await startExample('todo');
  const others = todo.startClient('ada');
  await others.until('+ [ ] Olives\n');
  // The app keeps its writes until the backend is running.
  const app = todo.startClient('ada', 'Milk');
  await app.until('+ [ ] Milk\n');
  const backend = await todo.startBackend();
  await others.until('+ [ ] Milk\n');
  const read = (sql: string) => todo.headwater('sql', '--json', '--database', todo.database, sql);
  expect(read("SELECT completed FROM todos WHERE description = 'Milk'")).toContain('"f"');
  await backend.stop();
  expect(app.said()).not.toContain('- [ ] Milk');
});

test('todo reverts writes that its backend refuses', async () => {
  const todo = await startExample('todo');
  await todo.startBackend();
  // Grace does not own the list on the screen.
  const app = todo.startClient('grace', 'Mine?');
  await app.until('+ [ ] Mine?\n');
  await app.until('- [ ] Mine?\n');
  const all = todo.headwater('sql', '--json', '--database', todo.database, 'SELECT description FROM todos');
  expect(all).not.toContain('Mine?');
});

test('team-chat shows a channel to its members, and reports to its moderators only', async () => {
  const chat = await startExample('team-chat');
  const moderator = chat.startClient('ada');
  await moderator.until('ada: Welcome!\n');
  await moderator.until('Reported: Only moderators get this one.\n');
  await moderator.stop();
  const member = chat.startClient('grace');
  await member.until('ada: Welcome!\n');
  write(chat, `INSERT INTO messages (channel_id, author_id, body) VALUES ('general', 'ada', 'Ready?')`);
  await member.until('ada: Ready?\n');
  expect(member.said()).not.toContain('Reported');
  write(chat, `UPDATE members SET role = 'moderator' WHERE user_id = 'grace'`);
  await member.until('Reported: Only moderators get this one.\n');
  expect(member.said()).not.toContain('Grace does not get this one.');
});

test('legacy-rules sends clients the same rows before and after the migration', async () => {
  const legacy = await startExample('legacy-rules');
  const before = legacy.startClient('ada');
  await before.until('Draw a plan');
  await before.stop();
  expect(legacy.headwater('migrate', '--write')).toContain('sync.yaml');
  await legacy.service.until(/is active[\s\S]*is active/);
  const after = legacy.startClient('ada');
  await after.until('Draw a plan');
  write(legacy, `INSERT INTO tasks (project_id, title) VALUES ('bridge', 'Buy steel')`);
  await after.until('Buy steel');
  expect(before.said() + after.said()).not.toContain('Dig');
});
