import assert from 'node:assert/strict';
import { requestLabel } from '../../../../../src/editor/views/activity/activityRows.ts';

suite('A request in a row', () => {
  const asked = { method: 'sampling/createMessage', target: 'no model' } as const;
  const figures = { inputTokens: 0, outputTokens: 0, isEdited: false };

  test('is named after what it asks for, or after the model that answered', () => {
    assert.equal(requestLabel({ method: 'tools/call', target: 'echo' }), 'echo');
    assert.equal(requestLabel(asked), 'Language model');
    assert.equal(requestLabel({ ...asked, sampling: figures }), 'Language model');
    assert.equal(requestLabel({ ...asked, target: 'One', sampling: { ...figures, model: 'One' } }), 'One');
  });
});
