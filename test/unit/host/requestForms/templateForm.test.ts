import assert from 'node:assert/strict';
import { plain } from '../../../../src/host/questions/panelText.ts';
import { packageScript, stdioServer } from '../../support/definitions.ts';
import { RequestFormBed } from '../../support/requestFormBed.ts';

const everything = stdioServer([packageScript('@modelcontextprotocol/server-everything'), 'stdio'], {
  name: 'everything',
});
const several = 'demo://resource/dynamic/{kind}/{resourceId}{?note,tags*}';

suite('The form of a template', () => {
  let bed: RequestFormBed;
  setup(async () => {
    bed = new RequestFormBed();
    await bed.gateBed.hostBed.run(everything);
  });
  teardown(() => bed.close());

  test('has a text for each variable, and shows the URI as it grows', async () => {
    await bed.showTemplate(everything, several);
    const { edit } = bed;
    assert.ok(edit.kind === 'form' && edit.form.kind === 'object');
    assert.deepEqual(
      edit.form.fields.map(({ name, isRequired, description }) => [name, isRequired, description]),
      [
        ['kind', true, undefined],
        ['resourceId', true, undefined],
        ['note', false, 'If this is empty, the URI leaves it out.'],
        ['tags', false, 'Several values are separated by commas. If this is empty, the URI leaves it out.'],
      ],
    );
    assert.equal(bed.preview, 'demo://resource/dynamic/{kind}/{resourceId}');
    await bed.send({ type: 'enter', entered: ['text', '', 'a b', 'x, y'] });
    assert.equal(bed.preview, 'demo://resource/dynamic/text/{resourceId}?note=a%20b&tags=x&tags=y');
  });

  test('opens the resource, and says why it could not', async () => {
    await bed.showTemplate(everything, several);
    await bed.send({ type: 'run', entered: ['text', '7', '', ''] });
    assert.deepEqual(bed.used, ['demo://resource/dynamic/text/7']);
    assert.equal(bed.edit.kind, 'form');
    assert.deepEqual(bed.run, { kind: 'none' }, 'it is in a tab of its own');
    assert.deepEqual(bed.finished, []);
    const last = bed.posted.findLast(({ type }) => type === 'run');
    assert.ok(last?.type === 'run');
    assert.equal(last.status, 'Opened demo://resource/dynamic/text/7.');
    await bed.send({ type: 'run', entered: ['text', 'none', '', ''] });
    const { run } = bed;
    assert.ok(run.kind === 'failed');
    assert.match(
      plain(run.message),
      /^Server 'everything' could not read demo:\/\/resource\/dynamic\/text\/none: /,
    );
  });

  test('suggests values for its variables', async () => {
    await bed.showTemplate(everything, 'demo://resource/dynamic/text/{resourceId}');
    await bed.send({ type: 'suggest', number: 1, field: 'resourceId', entered: ['12'] });
    assert.deepEqual(bed.suggestions, ['12']);
  });

  test('leaves a secret out of the URI that it shows', async () => {
    await bed.showTemplate(everything, 'demo://{host}/{token}');
    await bed.send({ type: 'enter', entered: ['a', 'hunter2'] });
    assert.equal(bed.preview, 'demo://a/{token}');
  });
});
