import * as vscode from 'vscode';
import { closeAll, foundIn, openDrawing, typeDrawing, untilMarked } from '../support/editor/host.ts';
import { foreign, misspelled, repaired } from './drawings.ts';

describe('Diagnostics', () => {
  afterEach(closeAll);

  it('show an unknown key exactly where it stands', async () => {
    await untilMarked(await openDrawing(misspelled), misspelled);
  });

  it('show what is not YAML', async () => {
    const drawing = `
      === sync-rules.yaml
      streams:
        mine: [
      #~      ^ error yaml-syntax
    `;
    await untilMarked(await openDrawing(drawing), drawing);
  });

  it('show what is wrong in the config of a service', async () => {
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

  it('go away when the mistake is corrected', async () => {
    const document = await openDrawing(misspelled);
    await untilMarked(document, misspelled);
    await typeDrawing(document, repaired);
    await untilMarked(document, repaired);
  });

  it('are as severe as the user wants them', async () => {
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

  it('count columns right in files with CRLF line ends', async () => {
    const crlf = misspelled.replaceAll('\n', '\r\n');
    await untilMarked(await openDrawing(crlf), crlf);
  });

  it('say nothing about YAML of others, whatever its name', async () => {
    const document = await openDrawing(foreign);
    await untilMarked(await openDrawing(misspelled), misspelled);
    if (foundIn(document).length > 0) throw new Error(foundIn(document).join('\n'));
    await typeDrawing(document, misspelled);
    await untilMarked(document, misspelled);
  });
});
