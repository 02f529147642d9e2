import { equal, match } from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../../scripts/rigs/temporary.ts';
import { patient } from '../../../scripts/run/patience.ts';
import { answerPage, textOfPage } from '../../support/editor/deployPage.ts';
import { untilNews } from '../../support/editor/news.ts';
import { shareWorkbench } from '../../support/editor/sharedWorkbench.ts';
import { untilStatus } from '../../support/editor/statusBar.ts';
import {
  chooseAction,
  editorLines,
  openFile,
  openProblems,
  runCommand,
  save,
  takeScreenshot,
} from '../../support/editor/workbench.ts';
import { makeForeignProject } from '../../support/processes/foreignProject.ts';
import { foreignToken } from '../../support/processes/foreignService.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/processes/serviceProcess.ts';

const joined =
  'SELECT * FROM lists WHERE id IN (SELECT m.list_id FROM members m JOIN lists l ON l.id = m.list_id WHERE m.user_id = auth.user_id())';
const direct =
  'SELECT * FROM lists WHERE id IN (SELECT m.list_id FROM members m WHERE m.user_id = auth.user_id())';

const config = (query: string) => `config:
  edition: 3

streams:
  lists:
    auto_subscribe: true
    query: ${query}
`;

/** PowerSync's service reads all lists for everybody: 1,100, and for Ada the five of which she is a member. */
const schema = `
CREATE TABLE lists (id text PRIMARY KEY, name text);
CREATE TABLE members (id text PRIMARY KEY, list_id text, user_id text);
INSERT INTO lists SELECT 'l' || n, 'List ' || n FROM generate_series(1, 1100) n;
INSERT INTO members SELECT 'm' || n, 'l' || n, 'ada' FROM generate_series(1, 5) n;
INSERT INTO members VALUES ('m6', 'l6', 'brian');
`;

/** One session: each step starts where the one before has ended. Its target is gone with its files. */
describe('Limits in the workbench', () => {
  let service: ServiceProcess;

  before(async () => {
    const home = temporaryFolder('limits');
    const file = join(home, 'service.yaml');
    writeFileSync(join(home, 'schema.sql'), schema);
    writeFileSync(
      file,
      `port: 0
replication:
  connections:
    - type: embedded
      schema: schema.sql
      debug_api: true
storage: { type: embedded, path: data }
client_auth: { jwks: { keys: [{ kty: oct, alg: HS256, kid: dev, k: c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I }] } }
api: { tokens: ['${foreignToken}'] }
healthcheck: { probes: { use_http: true } }
`,
    );
    service = await startServiceProcess(file);
  });

  const workbench = shareWorkbench('limits', {
    from: () => {
      const folder = makeForeignProject(service.url);
      writeFileSync(join(folder, 'sync.yaml'), config(joined));
      mkdirSync(join(folder, '.vscode'));
      writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify({ 'headwater.allowDeployTo': [] }));
      return folder;
    },
  });

  after(() => service.stop());

  const isHealthy = /^\s*127\.0\.0\.1:\d+\s*$/;
  const overLimit = /auth\.user_id\(\) = "ada": 1,105 of 1,000 results in PowerSync's service/;

  async function askToDeploy(): Promise<string> {
    await runCommand(workbench().page, 'Headwater: Deploy Sync Config');
    return textOfPage(workbench().page);
  }

  it('finds the service', async () => {
    const { page } = workbench();
    await openFile(page, 'sync.yaml');
    await page.locator('.part.editor .codelens-decoration', { hasText: 'Deploy' }).waitFor();
    await runCommand(page, 'Headwater: Select Target');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'cli.yaml' }).first().click();
    await untilStatus(page, /nothing deployed/);
  });

  it('says before the deploy who would be over a limit', async () => {
    const { page } = workbench();
    match(await askToDeploy(), overLimit);
    await takeScreenshot(page, 'limits-1-review');
    await untilNews(page, /Deployed to 127\.0\.0\.1/, () => answerPage(page, 'Deploy'));
    await untilStatus(page, isHealthy);
  });

  it('shows how near it is behind the stream, and warns', async () => {
    const { page } = workbench();
    await editorLines(page)
      .filter({ hasText: '1,105 of 1,000 results' })
      .first()
      .waitFor({ timeout: patient(40_000) });
    const isOpen = await page.locator('.markers-panel').isVisible();
    const problems = isOpen ? page.locator('.markers-panel .monaco-list-row') : await openProblems(page);
    const warning = problems.filter({
      hasText: 'A client with `auth.user_id() = "ada"` gets 1105 of the 1000',
    });
    await warning.first().waitFor();
    await takeScreenshot(page, 'limits-2-warning');
  });

  it('offers what helps, with its numbers', async () => {
    const { page } = workbench();
    const written = editorLines(page).filter({ hasText: 'FROM members m WHERE' }).first();
    if (!(await written.isVisible())) await chooseAction(page, 'lists:', 'Read members directly (1,105 → 5)');
    await written.waitFor();
    const stored = () => readFileSync(join(workbench().folder, 'sync.yaml'), 'utf8');
    if (stored() !== config(direct)) await save(page);
    equal(stored(), config(direct));
    await takeScreenshot(page, 'limits-3-remedy');
  });

  it('is below the limit then, and shows that nobody gains or loses a row', async () => {
    const { page } = workbench();
    const question = await askToDeploy();
    match(question, /Proven: no user gains or loses a row/);
    equal(overLimit.test(question), false);
    await untilNews(page, /Deployed to 127\.0\.0\.1/, () => answerPage(page, 'Deploy'));
    await untilStatus(page, isHealthy);
    await editorLines(page)
      .filter({ hasText: '1,105 of 1,000' })
      .first()
      .waitFor({ state: 'detached', timeout: patient(40_000) });
  });

  it('names the users who would gain or lose rows', async () => {
    const { page } = workbench();
    writeFileSync(join(workbench().folder, 'sync.yaml'), config("SELECT * FROM lists WHERE id = 'l1'"));
    await editorLines(page).filter({ hasText: "id = 'l1'" }).first().waitFor();
    const question = await askToDeploy();
    await takeScreenshot(page, 'limits-4-users');
    match(question, /brian gains rows of lists: 1 \(such as l1, which ada has\)/);
    match(question, /ada loses rows of lists: 4 \(such as l2\)/);
    match(question, /brian loses rows of lists: 1 \(such as l6\)/);
    await answerPage(page, 'Cancel');
  });
});
