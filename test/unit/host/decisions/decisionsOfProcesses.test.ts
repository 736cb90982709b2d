import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { DecisionStore } from '../../../../src/host/decisions/decisionStore.ts';
import { launchDecisionKind } from '../../../../src/host/launch/question/launchDecision.ts';
import { decisionKinds } from '../../../../src/host/review/decisionKinds.ts';

const writer = fileURLToPath(new URL('../../support/decisionWriter.ts', import.meta.url));

suite('The decisions of several processes', () => {
  let folder: string;
  let stores: DecisionStore[];

  setup(() => {
    folder = path.join(realpathSync(mkdtempSync(path.join(tmpdir(), 'mcp-host-'))), 'decisions');
    stores = [];
  });
  teardown(async () => {
    stores.forEach((store) => store.dispose());
    await rm(path.dirname(folder), { recursive: true, force: true });
  });

  const open = (): DecisionStore => {
    const store = new DecisionStore(decisionKinds, folder);
    stores.push(store);
    return store;
  };
  const files = (): string[] => readdirSync(folder);

  test('are all kept when two windows decide at the same time', async () => {
    const store = open();
    const write = async (name: string): Promise<void> => {
      const child = spawn(process.execPath, [writer, folder, name, '100'], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [code] = (await once(child, 'exit')) as [number | null];
      assert.equal(code, 0);
    };
    await Promise.all([write('one'), write('two')]);
    store.refresh();
    assert.equal(store.all().filter(({ key }) => key.startsWith('one ')).length, 100);
    assert.equal(store.all().filter(({ key }) => key.startsWith('two ')).length, 100);
    assert.equal(store.getOf(launchDecisionKind, 'shared')?.answer, 'deny', 'what both decided');
    assert.ok(files().every((name) => name.endsWith('.json')));
  });

  test('are all kept when a window is killed while it writes', async () => {
    for (let round = 0; round < 5; round += 1) {
      const child = spawn(process.execPath, [writer, folder, `round ${round}`, '100000'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.setEncoding('utf8');
      for await (const part of child.stdout as AsyncIterable<string>) {
        said += part;
        if (said.split('\n').length > 10 + 3 * round) {
          child.kill('SIGKILL');
        }
      }
      const kept = said
        .split('\n')
        .slice(0, -1)
        .filter((key) => key !== '');
      assert.ok(kept.length >= 10);
      const store = open();
      assert.deepEqual(
        kept.filter((key) => store.get(key) === undefined),
        [],
      );
      assert.ok(!files().some((name) => name.endsWith('.unreadable')), 'no half of a file');
    }
  });
});
