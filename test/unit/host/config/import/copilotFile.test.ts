import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { copilotFile } from '../../../../../src/host/config/import/copilotFile.ts';

suite('Copilot’s file', () => {
  const home = '/home/me';
  const folder = (at: string, name: string) => ({ uri: pathToFileURL(at).href, name });

  test('is where Copilot keeps it', () => {
    const machine = { home, platform: 'linux', env: {} } as const;
    assert.deepEqual(copilotFile(machine, []), { path: '/home/me/.copilot/mcp-config.json' });
    for (const [named, place] of [
      ['/srv/copilot', '/srv/copilot/mcp-config.json'],
      ['', '/home/me/.copilot/mcp-config.json'],
      [' ', '/home/me/.copilot/mcp-config.json'],
    ]) {
      assert.deepEqual(copilotFile({ ...machine, env: { COPILOT_HOME: named } }, []), { path: place });
    }
  });

  test('is refused if its folder is a relative path, which any workspace could be', () => {
    for (const COPILOT_HOME of ['copilot', './copilot', '../copilot', '~/copilot']) {
      const { refusal } = copilotFile({ home, platform: 'linux', env: { COPILOT_HOME } }, []);
      assert.match(
        String(refusal),
        /^COPILOT_HOME is the relative path '.*'\. Set it to an absolute path\.$/,
      );
    }
  });

  test('is refused inside an open folder, also behind a link', () => {
    const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-')));
    try {
      const at = (...names: string[]): string => path.join(root, ...names);
      mkdirSync(at('dotfiles', 'copilot'), { recursive: true });
      mkdirSync(at('me'));
      writeFileSync(at('dotfiles', 'copilot', 'mcp-config.json'), '{}');
      symlinkSync(at('dotfiles', 'copilot'), at('me', '.copilot'), 'junction');
      symlinkSync(at('dotfiles'), at('opened'), 'junction');
      const refusals = ['dotfiles', 'opened', 'me', 'me-too', 'dotfiles/copilot/skills'].map((name) => [
        name,
        copilotFile({ home: at('me'), platform: process.platform, env: {} }, [folder(at(name), name)])
          .refusal,
      ]);
      const refused = (name: string): string =>
        `It is inside the open folder '${name}'. Close that folder, or copy the servers with "Import Servers…".`;
      assert.deepEqual(refusals, [
        ['dotfiles', refused('dotfiles')],
        ['opened', refused('opened')],
        ['me', refused('me')],
        ['me-too', undefined],
        ['dotfiles/copilot/skills', undefined],
      ]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  test('is not refused because of a folder on no disk', () => {
    const machine = { home, platform: 'linux', env: {} } as const;
    assert.equal(copilotFile(machine, [{ uri: 'memfs:/home/me', name: 'me' }]).refusal, undefined);
  });
});
