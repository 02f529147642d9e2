import * as vscode from 'vscode';
import { closeAll, foundIn, openDrawing, typeDrawing, untilMarked } from '../support/editor/host.ts';
import { foreign, misspelled, repaired } from './drawings.ts';

describe('Diagnostics', () => {
  afterEach(closeAll);

  it('mark an unknown key exactly', async () => {
    await untilMarked(await openDrawing(misspelled), misspelled);
  });

  it('report invalid YAML', async () => {
    const drawing = `
      === sync-rules.yaml
      streams:
        mine: [
      #~      ^ error yaml-syntax
    `;
    await untilMarked(await openDrawing(drawing), drawing);
  });

  it('report problems in a service config', async () => {
    const drawing = `
      === service.yaml
      replication:
        connections:
          - type: postgresql
            uri: !env PS_DATABASE_URI
      storage:
        type: postgresql
        uri: !env PS_STORAGE_URI
      sync_config:
        path: /config/sync.yaml
      client_auth:
        audience: [app]
        jwks_uri: !env PS_JWKS_URI
      prot: 8080
      #~@0-4 warning service-unknown-key
    `;
    await untilMarked(await openDrawing(drawing), drawing);
  });

  it('disappear when the mistake is corrected', async () => {
    const document = await openDrawing(misspelled);
    await untilMarked(document, misspelled);
    await typeDrawing(document, repaired);
    await untilMarked(document, repaired);
  });

  it('have the severity that the user chooses', async () => {
    const document = await openDrawing(misspelled);
    await untilMarked(document, misspelled);
    const settings = vscode.workspace.getConfiguration('headwater');
    const change = (value: object | undefined) =>
      settings.update('diagnostics.severity', value, vscode.ConfigurationTarget.Global);
    try {
      await change({ 'unknown-key': 'warning' });
      await untilMarked(document, misspelled.replace('error unknown-key', 'warning unknown-key'));
      await change({ 'unknown-key': 'off' });
      await untilMarked(document, repaired);
    } finally {
      await change(undefined);
    }
    await untilMarked(document, misspelled);
  });

  it('have the correct columns in files with CRLF line endings', async () => {
    const crlf = misspelled.replaceAll('\n', '\r\n');
    await untilMarked(await openDrawing(crlf), crlf);
  });

  it('are not reported for unrelated YAML, whatever its name', async () => {
    const document = await openDrawing(foreign);
    await untilMarked(await openDrawing(misspelled), misspelled);
    if (foundIn(document).length > 0) throw new Error(foundIn(document).join('\n'));
    await typeDrawing(document, misspelled);
    await untilMarked(document, misspelled);
  });
});
