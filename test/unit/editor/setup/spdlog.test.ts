import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { TemporaryFolder } from '../../../editor/temporaryFolder.ts';
// As the editor does: what it calls must be found by its name in a CommonJS module.
import * as spdlog from '../../../editor/setup/native/spdlog.cjs';

suite('the logger of the test editor', () => {
  let folder: TemporaryFolder;

  setup(() => {
    folder = new TemporaryFolder('spdlog');
  });

  teardown(() => {
    folder.remove();
  });

  test('writes lines with time and level, from its level on', async () => {
    const file = folder.join('logs/window/server.log');
    const logger = await spdlog.createAsyncRotatingLogger('server', file);
    logger.setPattern();
    logger.debug('left out');
    logger.info('one');
    logger.setLevel(4);
    logger.warn('left out, too');
    logger.error('two\nlines');
    assert.match(
      readFileSync(file, 'utf8'),
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[info\] one\n\S+ \S+ \[error\] two\nlines\n$/,
    );
  });

  test('writes an output channel as it is, and nothing after its end', async () => {
    const file = folder.join('channel.log');
    const logger = await spdlog.createRotatingLogger('channel', file);
    logger.clearFormatters();
    logger.critical('a');
    logger.critical('b\n');
    logger.drop();
    logger.critical('c');
    logger.drop();
    assert.equal(readFileSync(file, 'utf8'), 'ab\n');
  });
});
