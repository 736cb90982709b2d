import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { CancellationError } from '../../src/base/lifetime/cancellation.ts';
import { EditorLanguageModels } from '../../src/editor/sampling/editorLanguageModels.ts';
import { modelErrorOf, requestMessages, requestOptions } from '../../src/editor/sampling/modelMessages.ts';
import {
  ModelError,
  type ModelPart,
  type ModelRequest,
} from '../../src/host/sampling/request/languageModels.ts';

/** What the scripted model notes of each request. */
interface Scripted {
  readonly requests: readonly { readonly text: string; readonly modelOptions: unknown }[];
}

const forever = new AbortController().signal;

const requestOf = (text: string, more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: [{ role: 'user', content: [{ kind: 'text', text }] }],
  maxTokens: 100,
  tools: [],
  toolMode: 'auto',
  justification: 'A test asks.',
  ...more,
});

async function collect<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of stream) {
    all.push(one);
  }
  return all;
}

suite('The language models of the editor', () => {
  let models: EditorLanguageModels;
  let scripted: Scripted;

  suiteSetup(async () => {
    const extension = vscode.extensions.getExtension<Scripted>('mcphost-test.helper');
    assert.ok(extension, 'the fixture is not installed');
    scripted = await extension.activate();
    models = new EditorLanguageModels();
  });

  suiteTeardown(() => models.dispose());

  const send = async (request: ModelRequest, signal = forever): Promise<readonly ModelPart[]> =>
    collect(models.send('scripted-1', request, signal));

  test('are listed as the editor calls them', async () => {
    const found = (await models.available()).find(({ vendor }) => vendor === 'scripted');
    assert.deepEqual(found, {
      id: 'scripted-1',
      name: 'Scripted One',
      vendor: 'scripted',
      family: 'scripted',
      version: '1',
      maxInputTokens: 100_000,
    });
    assert.deepEqual(models.known('scripted-1'), found);
    assert.equal(models.isSupported, true);
  });

  test('get a text letter by letter, and answer it', async () => {
    const text = ' A text\r\nwith two lines, \u202Eand \u{1F600}\n';
    const parts = await send(requestOf(text, { temperature: 0.5, maxTokens: 7 }));
    assert.deepEqual(parts, [{ kind: 'text', text: `SCRIPTED: ${text}` }]);
    const last = scripted.requests.at(-1);
    assert.equal(last?.text, text);
    assert.deepEqual(last.modelOptions, { max_tokens: 7, temperature: 0.5 });
  });

  test('may want a tool of the server to be run', async () => {
    const tools = [{ name: 'sum', description: 'Adds.', inputSchema: { type: 'object' } }];
    const parts = await send(requestOf('call sum {"a":1}', { tools }));
    assert.equal(parts.length, 1);
    const [use] = parts;
    assert.ok(use?.kind === 'toolUse');
    assert.deepEqual([use.name, use.input], ['sum', { a: 1 }]);
    assert.ok(use.id.length > 0);
  });

  test('count the tokens of a text', async () => {
    assert.ok((await models.countTokens('scripted-1', 'one two three')) >= 1);
    await assert.rejects(models.countTokens('gone', 'one'), { name: 'ModelError', kind: 'notFound' });
  });

  test('get no request when they are gone, and the failure says so', async () => {
    const before = scripted.requests.length;
    await assert.rejects(collect(models.send('gone', requestOf('Hello'), forever)), (error) => {
      assert.ok(error instanceof ModelError);
      assert.equal(error.kind, 'notFound');
      assert.match(error.message, /'gone' is no longer available/);
      return true;
    });
    assert.equal(scripted.requests.length, before);
  });

  test('get nothing of a request that was taken back before', async () => {
    const before = scripted.requests.length;
    await assert.rejects(send(requestOf('Hello'), AbortSignal.abort()), CancellationError);
    await assert.rejects(models.countTokens('scripted-1', 'Hello', AbortSignal.abort()), CancellationError);
    assert.equal(scripted.requests.length, before);
  });
});

suite('A request in the words of the editor', () => {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;

  test('has its system prompt in front, in a message of its own, and every part in its place', () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
    const messages = requestMessages(
      requestOf('', {
        systemPrompt: 'Be brief.',
        messages: [
          {
            role: 'user',
            content: [
              { kind: 'text', text: 'Look:' },
              { kind: 'image', mimeType: 'image/png', data: png.toString('base64') },
            ],
          },
          { role: 'assistant', content: [{ kind: 'toolUse', id: 'u1', name: 'sum', input: { a: 1 } }] },
          {
            role: 'user',
            content: [
              {
                kind: 'toolResult',
                toolUseId: 'u1',
                isError: true,
                content: [{ kind: 'text', text: 'No numbers.' }],
              },
            ],
          },
        ],
      }),
    );
    assert.deepEqual(
      messages.map(({ role }) => role),
      [User, User, Assistant, User],
    );
    const [system, first, second, third] = messages.map(({ content }) => content);
    assert.deepEqual(system, [new vscode.LanguageModelTextPart('Be brief.')]);
    const [text, image] = first ?? [];
    assert.deepEqual(text, new vscode.LanguageModelTextPart('Look:'));
    assert.ok(image instanceof vscode.LanguageModelDataPart);
    assert.equal(image.mimeType, 'image/png');
    assert.deepEqual(Buffer.from(image.data), png);
    assert.deepEqual(second, [new vscode.LanguageModelToolCallPart('u1', 'sum', { a: 1 })]);
    const [result] = third ?? [];
    assert.ok(result instanceof vscode.LanguageModelToolResultPart);
    assert.equal(result.callId, 'u1');
    assert.deepEqual(result.content, [new vscode.LanguageModelTextPart('No numbers.')]);
    assert.equal((result as { isError?: boolean }).isError, true);
  });

  test('names tools, and requires one, only where it has some', () => {
    const tools = [{ name: 'sum', description: 'Adds.', inputSchema: { type: 'object' } }];
    assert.deepEqual(requestOptions(requestOf('Hello', { tools, toolMode: 'required' })), {
      justification: 'A test asks.',
      modelOptions: { max_tokens: 100 },
      tools,
      toolMode: vscode.LanguageModelChatToolMode.Required,
    });
    assert.deepEqual(requestOptions(requestOf('Hello', { toolMode: 'required' })), {
      justification: 'A test asks.',
      modelOptions: { max_tokens: 100 },
    });
  });

  const failures: readonly (readonly [what: string, error: unknown, kind: string, words: string])[] = [
    ['no consent', vscode.LanguageModelError.NoPermissions('Not yours.'), 'noPermissions', 'Not yours.'],
    ['a quota', vscode.LanguageModelError.Blocked('Too much.'), 'blocked', 'Too much.'],
    ['a model that is gone', vscode.LanguageModelError.NotFound('Gone.'), 'notFound', 'Gone.'],
    ['a failure of the provider', new Error('Overloaded.'), 'failed', 'Overloaded.'],
    ['a cause', new Error('', { cause: new Error(' Overloaded. ') }), 'failed', 'Overloaded.'],
    ['a text', 'Overloaded.', 'failed', 'Overloaded.'],
    ['nothing', undefined, 'failed', 'The language model failed.'],
  ];
  for (const [what, error, kind, words] of failures) {
    test(`fails for ${what} in the provider's words`, () => {
      const failure = modelErrorOf(error);
      assert.equal(failure.kind, kind);
      assert.equal(failure.message, words);
      assert.equal(failure.cause, error);
    });
  }
});
