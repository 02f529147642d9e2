/**
 * `npm start -- [--no-open] [--port N]`: runs the product with examples/todo: a service with its own database, the example's
 * client, which prints rows as they change, and a VS Code with no other extension installed.
 */
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeaving, leave } from './rigs/process.ts';
import { temporaryFolder } from './rigs/temporary.ts';
import { root } from './root.ts';
import { runScript } from './run/command.ts';
import { type Choices, readChoices } from './start/choices.ts';
import { startClient } from './start/client.ts';
import { screen } from './start/screen.ts';
import { consoleOf, databaseOf, deploy, type Service, startService } from './start/service.ts';
import { addTodo, goShopping } from './start/todos.ts';
import { openWorkbench, type Workbench } from './start/workbench.ts';

const example = 'examples/todo';
const user = 'ada';
/** How long to wait for the first row, in milliseconds. After that, the workbench is opened without it. */
const patience = 20_000;
const inExample = (name: string): string => join(root, example, name);

await leave(await start());

async function start(): Promise<number> {
  const choices = readChoices(process.argv.slice(2));
  if (typeof choices === 'string') return refuse(choices);
  // The port is checked before the work rather than after it.
  if (choices.port !== undefined && !(await isFree(choices.port)))
    return refuse(`Port ${choices.port} is in use: end what uses it, or choose another one with --port.`);
  try {
    return await run(choices);
  } catch (error) {
    return end(error instanceof Error ? error.message : String(error));
  }
}

/** Waits for rows before it opens the workbench, which may have to be installed. */
async function run(choices: Choices): Promise<number> {
  console.log('Building …');
  if (!choices.isBuilt) await build('scripts/build.ts');
  console.log('Starting the service with its own database …');
  const service = await startService(temporaryFolder('start'), inExample('schema.sql'));
  void service.ended.then((sentence) => console.log(`service  ${sentence}`));
  // If the config has errors, it can be corrected and deployed in the workbench.
  await deploy(service, inExample('sync.yaml')).catch(complain);
  const client = startClient(inExample('client.mjs'), user, service, (line) =>
    console.log(`client   ${line}`),
  );
  await Promise.race([client.firstRow, sleep(patience)]);
  takeTodos(service);
  void goShopping(service).catch(complain);
  console.log('Opening VS Code (the first time installs it, which takes a minute) …');
  if (!choices.isBuilt) await build('scripts/package.ts', '--built');
  const settings = { 'headwater.local.dataDirectory': service.data };
  const opening = { folder: inExample('.'), file: inExample('sync.yaml'), settings, env: service.env };
  const workbench = await openWorkbench(opening, choices);
  if (workbench.kind === 'browser') console.log(`ready ${workbench.url}`);
  const { url, data } = service;
  const places = { database: await databaseOf(service), console: await consoleOf(service) };
  console.log(screen({ example, user, service: url, ...places, data, workbench }));
  return Promise.race([client.ended.then(end), endOf(workbench)]);
}

async function build(script: string, ...args: string[]): Promise<void> {
  const { code, output } = await runScript(script, args);
  if (code !== 0) throw new Error(output);
}

/** Adds a todo for each line that is typed or arrives through a pipe. */
function takeTodos(service: Service): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (line.trim() !== '') addTodo(service, line.trim()).catch(complain);
  });
}

function complain(error: unknown): void {
  if (!isLeaving()) console.error(error instanceof Error ? error.message : error);
}

function endOf(workbench: Workbench): Promise<number> {
  switch (workbench.kind) {
    case 'browser':
      return workbench.ended.then(end);
    case 'desktop':
      return workbench.ended;
    case 'missing':
      return new Promise(() => {});
  }
}

/** Reports a part that should not have ended. */
function end(sentence: string): number | Promise<never> {
  return isLeaving() ? new Promise(() => {}) : refuse(sentence);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

function refuse(sentence: string): number {
  console.error(sentence);
  return 1;
}
