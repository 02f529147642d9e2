/** A copy of the working tree in which the product may be broken. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyEdit, type Edit } from '../../test/support/house/edits.ts';
import { temporaryFolder } from '../rigs/temporary.ts';
import { root } from '../root.ts';

export class TreeCopy {
  readonly folder = temporaryFolder('security');

  constructor() {
    execFileSync('git', ['clone', '-q', root, this.folder]);
    for (const path of changedPaths()) {
      const [from, to] = [join(root, path), join(this.folder, path)];
      if (existsSync(from)) cpSync(from, to);
      else rmSync(to, { force: true });
    }
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'), 'junction');
  }

  /** Applies edits, and returns a function that reverts them. */
  apply(edits: readonly Edit[]): () => void {
    const before = new Map(edits.map(({ file }) => [file, readFileSync(join(this.folder, file), 'utf8')]));
    for (const edit of edits) {
      const path = join(this.folder, edit.file);
      writeFileSync(path, applyEdit(readFileSync(path, 'utf8'), edit));
    }
    return () => {
      for (const [file, text] of before) writeFileSync(join(this.folder, file), text);
    };
  }
}

/** Returns the files that differ from the last commit. */
function changedPaths(): readonly string[] {
  const list = ['ls-files', '-z', '--modified', '--deleted', '--others', '--exclude-standard'];
  return execFileSync('git', list, { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '');
}
