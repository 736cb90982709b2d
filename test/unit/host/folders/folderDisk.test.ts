import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { LocalDisk } from '../../../../src/host/folders/folderDisk.ts';

/** The user who owns nothing. */
const NOBODY = 65_534;
const lookAs = fileURLToPath(new URL('../../support/lookAs.ts', import.meta.url));

suite('A look at a folder', () => {
  let directory: string;
  const at = (...names: string[]): string => path.join(directory, ...names);

  setup(() => {
    directory = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    mkdirSync(at('api', 'src'), { recursive: true });
  });
  teardown(async () => {
    chmodSync(directory, 0o700);
    await rm(directory, { recursive: true, force: true });
  });

  const kindOf = async (folder: string): Promise<string> => {
    const look = await new LocalDisk().look(folder);
    return look.kind === 'folder' ? look.realPath : look.problem.kind;
  };

  test('finds a folder, and where links lead to', async () => {
    symlinkSync(at('api'), at('link'), 'junction');
    symlinkSync(at('link', 'src'), at('further'), 'junction');
    assert.equal(await kindOf(at('api')), at('api'));
    assert.equal(await kindOf(at('link')), at('api'));
    assert.equal(await kindOf(at('further')), at('api', 'src'));
  });

  test('says why there is none', async () => {
    writeFileSync(at('file'), '');
    symlinkSync(at('circle'), at('circle'), 'junction');
    symlinkSync(at('gone'), at('dangling'), 'junction');
    assert.equal(await kindOf(at('gone')), 'missing');
    assert.equal(await kindOf(at('dangling')), 'missing');
    assert.equal(await kindOf(at('file')), 'notAFolder');
    assert.equal(await kindOf(at('file', 'below')), 'notAFolder');
    assert.equal(await kindOf(at('circle')), 'unreadable');
  });

  test('finds nothing that this user may not read', async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    for (const [name, mode] of [
      ['open', 0o755],
      ['closed', 0o700],
      ['listed', 0o744],
      ['passed', 0o711],
    ] as const) {
      mkdirSync(at(name));
      // The mode that a folder is made with is cut by the umask.
      chmodSync(at(name), mode);
    }
    mkdirSync(at('closed', 'inside'), { mode: 0o755 });
    chmodSync(directory, 0o755);
    const names = [at('open'), at('closed'), at('closed', 'inside'), at('listed'), at('passed')];
    assert.deepEqual(await seenByNobody(directory, names), [
      'folder',
      'unreadable',
      'unreadable',
      'unreadable',
      'unreadable',
    ]);
  });
});

/** As root, by a child under another user id; otherwise this user is kept out of its own folders. */
async function seenByNobody(directory: string, folders: readonly string[]): Promise<readonly string[]> {
  const isRoot = process.getuid?.() === 0;
  const modes = new Map([
    ['closed', 0o000],
    ['listed', 0o400],
    ['passed', 0o100],
  ]);
  const own = isRoot ? [] : folders.filter((folder) => modes.has(path.basename(folder)));
  own.forEach((folder) => chmodSync(folder, modes.get(path.basename(folder)) ?? 0));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [lookAs, ...folders], {
      cwd: directory,
      ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    });
    return stdout.trim().split('\n');
  } finally {
    own.forEach((folder) => chmodSync(folder, 0o700));
  }
}
