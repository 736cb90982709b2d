import assert from 'node:assert/strict';
import { Catalogue } from '../../../../src/host/connection/lists/catalogue.ts';
import { listPages } from '../../../../src/host/connection/lists/listPages.ts';
import type { SoundPage } from '../../../../src/host/results/soundPage.ts';
import { RecordingLogger } from '../../support/recordingLogger.ts';

const HOUR = 60 * 60_000;

function pageOf(items: readonly unknown[], nextCursor?: string): SoundPage {
  return {
    count: items.length,
    entries: items.map((item, index) => ({ item, place: index + 1, bytes: 0 })),
    malformed: [],
    ...(nextCursor !== undefined && { nextCursor }),
    cut: undefined,
  };
}

suite('A list that is shown', () => {
  let now: number;
  let listed: number;
  const logger = new RecordingLogger();

  function catalogueOf(ttlMs: number | undefined): Catalogue {
    now = 0;
    listed = 0;
    const client = {
      getServerCapabilities: () => ({ tools: {} }),
      request: () => {
        listed += 1;
        return Promise.resolve({ ...pageOf([]), ttlMs });
      },
    } as unknown as ConstructorParameters<typeof Catalogue>[0];
    return new Catalogue(client, { logger, timeout: 1_000, now: () => now });
  }

  async function lookAt(catalogue: Catalogue, at: number): Promise<number> {
    now = at;
    catalogue.look('tools');
    await catalogue.listing('tools');
    return listed;
  }

  test('is listed again when it is older than its server says that it stays fresh', async () => {
    const catalogue = catalogueOf(HOUR);
    await catalogue.refreshAll();
    assert.equal(await lookAt(catalogue, HOUR - 1), 1);
    assert.equal(await lookAt(catalogue, HOUR), 2);
    assert.equal(await lookAt(catalogue, 2 * HOUR - 1), 2);
  });

  test('is fresh for a day at most', async () => {
    const catalogue = catalogueOf(1_000 * HOUR);
    await catalogue.refreshAll();
    assert.equal(await lookAt(catalogue, 24 * HOUR - 1), 1);
    assert.equal(await lookAt(catalogue, 24 * HOUR), 2);
  });

  test('is not listed at each look when its server calls it stale at once', async () => {
    const catalogue = catalogueOf(0);
    await catalogue.refreshAll();
    assert.equal(await lookAt(catalogue, 1_000), 1);
    assert.equal(await lookAt(catalogue, 30_000), 2);
  });

  test('is not listed again by a look when its server says nothing', async () => {
    const catalogue = catalogueOf(undefined);
    await catalogue.refreshAll();
    assert.equal(await lookAt(catalogue, 1_000 * HOUR), 1);
  });
});

suite('The pages of a list', () => {
  const pages = (
    page: (cursor: string | undefined, timeout: number, signal: AbortSignal) => Promise<SoundPage>,
  ) => ({ page, keyOf: (item: string) => item, timeout: 1_000 });
  const bounds = { items: 100, pages: 100, ms: 60_000 };
  const { signal } = new AbortController();

  test('stay when a later one cannot be read', async () => {
    const source = pages((cursor) =>
      cursor === undefined ? Promise.resolve(pageOf(['a'], '1')) : Promise.reject(new Error('no')),
    );
    const { items, cut } = await listPages(source, bounds, signal);
    assert.deepEqual(items, ['a']);
    assert.equal(cut, 'the rest of it could not be read: no');
  });

  test('are read for a limited time', async () => {
    const source = pages((cursor, timeout) => {
      assert.ok(timeout <= 30);
      if (cursor === undefined) {
        return Promise.resolve(pageOf(['a'], ''));
      }
      // By the clock: a timer may fire some milliseconds early, after work in the same turn.
      const end = Date.now() + timeout;
      return new Promise((_resolve, reject) => {
        const look = setInterval(() => {
          if (Date.now() >= end) {
            clearInterval(look);
            reject(new Error('timed out'));
          }
        }, 1);
      });
    });
    const { items, cut } = await listPages(source, { ...bounds, ms: 30 }, signal);
    assert.deepEqual(items, ['a']);
    assert.equal(cut, 'it could not be read to the end within 0.03 s');
  });

  test('are no longer read when no caller waits for them', async () => {
    const end = new AbortController();
    let asked = 0;
    const source = pages(() => {
      asked += 1;
      end.abort(new Error('enough'));
      return Promise.resolve(pageOf([`${asked}`], `${asked}`));
    });
    await assert.rejects(listPages(source, bounds, end.signal), /enough/);
    assert.equal(asked, 1);
  });

  test('may overlap: an item that comes twice counts once, and the log names another one of its name', async () => {
    const source = {
      keyOf: ({ name }: { name: string }) => name,
      timeout: 1_000,
      page: (cursor: string | undefined) =>
        Promise.resolve(
          cursor === undefined
            ? pageOf([{ name: 'a' }, { name: 'b' }], '')
            : pageOf([{ name: 'b' }, { name: 'a', more: true }]),
        ),
    };
    const { items, malformed } = await listPages(source, bounds, signal);
    assert.deepEqual(items, [{ name: 'a' }, { name: 'b' }]);
    assert.deepEqual(
      malformed.map(({ name, place }) => [name, place]),
      [['a', 4]],
    );
  });
});
