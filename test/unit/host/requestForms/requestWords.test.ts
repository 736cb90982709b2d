import assert from 'node:assert/strict';
import { finishedWords } from '../../../../src/host/requestForms/requestWords.ts';

suite('The message about a request that has ended', () => {
  for (const [kind, hasFailed, words] of [
    ['tool', false, "Tool 'a' of server 'b' has finished. [Show Result]"],
    ['tool', true, "Tool 'a' of server 'b' failed. [Show Reason]"],
    ['prompt', false, "Prompt 'a' of server 'b' is ready. [Show Prompt]"],
    ['prompt', true, "Prompt 'a' of server 'b' could not be used. [Show Reason]"],
    ['template', false, "Template 'a' of server 'b' was opened. [Show Form]"],
    ['template', true, "Template 'a' of server 'b' could not be opened. [Show Reason]"],
  ] as const) {
    test(words, () => {
      const { sentence, show } = finishedWords({ kind, name: 'a' }, 'b', hasFailed);
      assert.equal(`${sentence} [${show}]`, words);
    });
  }
});
