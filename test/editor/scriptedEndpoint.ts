import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** What an OpenAI-compatible client sends. */
export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly {
    readonly function: {
      readonly name: string;
      readonly description?: string;
      readonly parameters?: unknown;
    };
  }[];
}

interface ModelMessage {
  readonly role: string;
  readonly content?: string | readonly { readonly text?: string }[] | null;
}

/**
 * A language model behind the interface that Copilot Chat knows as a custom endpoint. The text
 * `call <tool> <json>` makes it call that tool and then answer `TOOL SAID: <result>`; anything else is
 * answered `SCRIPTED`.
 */
export class ScriptedEndpoint {
  readonly requests: ModelRequest[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<ScriptedEndpoint> {
    const server = createServer();
    const endpoint = new ScriptedEndpoint(server);
    server.on('request', (request, response) => {
      void json(request).then((body) => {
        const asked = body as ModelRequest;
        endpoint.requests.push(asked);
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(events(answer(asked, endpoint.requests.length)));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return endpoint;
  }

  /** `chatLanguageModels.json` of the user, which tells Copilot Chat of this model. */
  modelsFile(name: string): unknown {
    const { port } = this.#server.address() as AddressInfo;
    const model = {
      id: 'scripted',
      name,
      url: `http://127.0.0.1:${port}/v1/chat/completions`,
      toolCalling: true,
      vision: false,
      maxInputTokens: 100_000,
      maxOutputTokens: 8_000,
    };
    return [{ name: 'Scripted', vendor: 'customendpoint', apiKey: 'none', models: [model] }];
  }

  /** The tools that the model was given when it was asked that. */
  toolsWith(text: string): NonNullable<ModelRequest['tools']> | undefined {
    const isThat = ({ messages }: ModelRequest): boolean => textOf(messages.at(-1)).includes(text);
    // Copilot Chat asks for a title and the like with the same text, and without tools.
    return this.requests.find((request) => isThat(request) && request.tools)?.tools;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

interface Answer {
  readonly delta: Readonly<Record<string, unknown>>;
  readonly finish: 'stop' | 'tool_calls';
}

function answer({ messages }: ModelRequest, number: number): Answer {
  const last = messages.at(-1);
  if (last?.role === 'tool') {
    return { delta: { content: `TOOL SAID: ${textOf(last)}` }, finish: 'stop' };
  }
  const [, name, parameters] = /call (\S+) (\{.*?\})/s.exec(textOf(last)) ?? [];
  return name === undefined
    ? { delta: { content: 'SCRIPTED' }, finish: 'stop' }
    : {
        delta: {
          tool_calls: [
            { index: 0, id: `call-${number}`, type: 'function', function: { name, arguments: parameters } },
          ],
        },
        finish: 'tool_calls',
      };
}

function events({ delta, finish }: Answer): string {
  const chunk = (choice: object): string => {
    const common = { id: 'answer', object: 'chat.completion.chunk', created: 1, model: 'scripted' };
    return `data: ${JSON.stringify({ ...common, choices: [{ index: 0, ...choice }] })}\n\n`;
  };
  return [
    chunk({ delta: { role: 'assistant', ...delta }, finish_reason: null }),
    chunk({ delta: {}, finish_reason: finish }),
    'data: [DONE]\n\n',
  ].join('');
}

function textOf(message: ModelMessage | undefined): string {
  const content = message?.content ?? '';
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('');
}
