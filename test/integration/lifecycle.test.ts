import * as vscode from 'vscode';
import { closeAll, openDrawing, untilMarked } from '../support/editor/host.ts';
import { misspelled, repaired } from './drawings.ts';

describe('The language server', () => {
  const settings = () => vscode.workspace.getConfiguration('headwater');

  afterEach(closeAll);

  it('comes back when it is restarted', async () => {
    const document = await openDrawing(misspelled);
    await untilMarked(document, misspelled);
    await vscode.commands.executeCommand('headwater.restartLanguageServer');
    await untilMarked(document, misspelled);
  });

  it('is off while Headwater is disabled', async () => {
    const document = await openDrawing(misspelled);
    await untilMarked(document, misspelled);
    await settings().update('enable', false);
    await untilMarked(document, repaired);
    await settings().update('enable', undefined);
    await untilMarked(document, misspelled);
  });

  it('reads files with the names that `headwater.files` adds', async () => {
    const drawing = misspelled.replace('sync-config.yaml', 'buckets.yaml');
    const document = await openDrawing(drawing);
    await settings().update('files', ['**/buckets.yaml']);
    await untilMarked(document, drawing);
    await settings().update('files', undefined);
    await untilMarked(document, repaired);
  });
});
