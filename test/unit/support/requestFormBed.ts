import assert from 'node:assert/strict';
import type { Prompt, Tool } from '@modelcontextprotocol/client';
import type { Openable } from '../../../src/host/documents/contentSection.ts';
import type { CompletingServer } from '../../../src/host/completion/argumentCompleter.ts';
import type { ServerConnection } from '../../../src/host/connection/serverConnection.ts';
import { messageOf } from '../../../src/host/errors/hostError.ts';
import type { ServerDefinition } from '../../../src/host/config/serverDefinition.ts';
import type { Entered } from '../../../src/form/formField.ts';
import type { KeptFields } from '../../../src/form/keptFields.ts';
import type {
  EditView,
  FromRequestForm,
  KeptPage,
  RemedyName,
  RequestTarget,
  RunView,
  ToRequestForm,
} from '../../../src/host/requestForms/requestFormProtocol.ts';
import {
  listedPrompt,
  promptForForm,
  type PromptFormPort,
} from '../../../src/host/requestForms/promptRequest.ts';
import type { ListedRequest, RequestFormPort } from '../../../src/host/requestForms/requestFormPort.ts';
import {
  RequestFormSession,
  type RequestFormStart,
} from '../../../src/host/requestForms/requestFormSession.ts';
import {
  expansionOf,
  listedTemplate,
  openedOutcome,
  openFailure,
} from '../../../src/host/requestForms/templateRequest.ts';
import {
  callFailure,
  callForForm,
  listedTool,
  type ToolFormPort,
} from '../../../src/host/requestForms/toolRequest.ts';
import type { Question } from '../../../src/host/questions/question.ts';
import { UriTemplate } from '../../../src/host/resources/uriTemplate.ts';
import { plain } from '../../../src/host/questions/panelText.ts';
import { GateBed, person } from './gateBed.ts';
import type { SamplingBed } from './samplingBed.ts';
import { untilSeen } from './until.ts';

/** A bed whose servers ask for something. */
type OtherBed = Pick<SamplingBed, 'hostBed' | 'close'>;

/** A form before a real server, with the page in the test's hands. */
export class RequestFormBed {
  readonly gateBed: GateBed;
  readonly posted: ToRequestForm[] = [];
  readonly remembered: KeptFields[] = [];
  readonly opened: Openable[] = [];
  readonly used: string[] = [];
  readonly remedies: RemedyName[] = [];
  /** The questions to which the form has led. */
  readonly reviewed: Question[] = [];
  /** How often it has come back from one. */
  answered = 0;
  /** What servers were asked for suggestions. */
  readonly completed: Parameters<CompletingServer['complete']>[0][] = [];
  readonly #completing = new Map<ServerConnection, CompletingServer>();
  /** Whether each request failed that ended out of sight. */
  readonly finished: boolean[] = [];
  failed = 0;
  /** Instead of the schema that the server lists. */
  inputSchema: Tool['inputSchema'] | undefined;
  /** Instead of parts of the prompt that the server lists. */
  prompt: Partial<Prompt> | undefined;
  hasChat = true;
  /** The real page, if there is one. */
  page: { post(message: ToRequestForm): void; show(session: RequestFormSession): Promise<void> } | undefined;
  readonly #servers: OtherBed | undefined;
  #session: RequestFormSession | undefined;

  /** Without servers of another bed, it has its own. */
  constructor(servers?: OtherBed) {
    this.#servers = servers;
    this.gateBed = new GateBed(servers?.hostBed);
  }

  /** Runs the server, and shows the form of its tool. */
  async open(
    server: ServerDefinition,
    tool: string,
    start: Partial<RequestFormStart> = {},
  ): Promise<RequestFormSession> {
    await this.gateBed.hostBed.run(server);
    await this.gateBed.untilListed(server);
    return this.show(server, tool, start);
  }

  /** Shows the form of a tool, whether its server runs or not. */
  async show(
    { id, name }: ServerDefinition,
    tool: string,
    start: Partial<RequestFormStart> = {},
  ): Promise<RequestFormSession> {
    const { gate } = this.gateBed;
    const called = { server: name, tool };
    const port: ToolFormPort = {
      call: (args, options, signal) => gate.callTool(person, id, tool, args, options, signal),
      missedIn: () => undefined,
      open: (_outcome, openable) => this.opened.push(openable),
      use: (_outcome, how) => this.used.push(how),
    };
    return this.#begin({ kind: 'tool', server: id, name: tool }, start, {
      find: ({ catalogue, logger, schemas }) => {
        const listed = catalogue?.tools.find((one) => one.name === tool);
        const { inputSchema } = this;
        return (
          listed &&
          listedTool(inputSchema ? { ...listed, inputSchema } : listed, { server: name, logger, schemas })
        );
      },
      send: (sent, ...how) => callForForm(called, sent, port, ...how),
      failure: (error) => callFailure(called, error),
    });
  }

  /** Shows the form of a prompt of a server that runs. */
  async showPrompt(
    { id, name }: ServerDefinition,
    prompt: string,
    start: Partial<RequestFormStart> = {},
  ): Promise<RequestFormSession> {
    const { gate, hostBed } = this.gateBed;
    const find = (): Prompt | undefined =>
      hostBed.host.server(id)?.connection.catalogue?.prompts.find((one) => one.name === prompt);
    await untilSeen(() => find() !== undefined, 'the prompts are listed');
    const port: PromptFormPort = {
      get: (args, options, signal) => gate.getPrompt(person, id, prompt, args, options, signal),
      canSend: () => Promise.resolve(this.hasChat),
      open: (openable) => this.opened.push(openable),
      use: (document, how) => this.used.push(`${how}: ${document.prompt.original}`),
    };
    return this.#begin({ kind: 'prompt', server: id, name: prompt }, start, {
      find: (connection) => {
        const listed = find();
        const { prompt: changed } = this;
        return (
          listed &&
          listedPrompt(
            { ...listed, ...changed },
            { server: name, logger: connection.logger, schemas: connection.schemas },
            this.#recording(connection),
          )
        );
      },
      send: (sent, ...how) =>
        promptForForm(name, { ...(find() ?? { name: prompt }), ...this.prompt }, sent, port, ...how),
      failure: (error) => messageOf(error),
    });
  }

  /** Shows the form of a template of a server that runs; what is opened is its URI in `used`. */
  async showTemplate({ id, name }: ServerDefinition, text: string): Promise<RequestFormSession> {
    const template = UriTemplate.parse(text);
    assert.ok(template instanceof UriTemplate);
    return this.#begin(
      { kind: 'template', server: id, name: text },
      {},
      {
        find: (connection) =>
          listedTemplate(
            { name: 'any', uriTemplate: text },
            template,
            { server: name, logger: connection.logger, schemas: connection.schemas },
            this.#recording(connection),
          ),
        send: async (sent, _events, signal) => {
          const expansion = expansionOf(template, sent);
          assert.ok(expansion.kind === 'uri');
          await this.gateBed.gate.readResource(person, id, expansion.uri, {}, signal);
          this.used.push(expansion.uri);
          return openedOutcome(expansion.uri);
        },
        failure: (error, sent) => openFailure(name, expansionOf(template, sent), error),
      },
    );
  }

  #recording(connection: ServerConnection): CompletingServer {
    const { logger } = connection;
    const recording = this.#completing.get(connection) ?? {
      logger,
      get canComplete() {
        return connection.canComplete;
      },
      get state() {
        return connection.state;
      },
      complete: (params, signal) => {
        this.completed.push(params);
        return connection.complete(params, signal);
      },
    };
    this.#completing.set(connection, recording);
    return recording;
  }

  async #begin(
    of: RequestTarget,
    start: Partial<RequestFormStart>,
    {
      find,
      ...sending
    }: Pick<RequestFormPort, 'send' | 'failure'> & {
      readonly find: (connection: ServerConnection) => ListedRequest | undefined;
    },
  ): Promise<RequestFormSession> {
    const port: RequestFormPort = {
      ...sending,
      questions: this.gateBed.hostBed.questions,
      post: (message) => {
        this.posted.push(structuredClone(message));
        this.page?.post(message);
      },
      look: () => {
        const connection = this.gateBed.hostBed.host.server(of.server)?.connection;
        const listed = connection && find(connection);
        return listed
          ? { kind: 'listed', ...listed }
          : { kind: 'missing', server: '', reason: 'It is stopped.', remedies: ['startServer'] };
      },
      remember: (fields) => this.remembered.push(fields),
      review: (question) => this.reviewed.push(question),
      answered: () => (this.answered += 1),
      finished: (hasFailed) => this.finished.push(hasFailed),
      remedy: (remedy) => this.remedies.push(remedy),
      failed: () => (this.failed += 1),
    };
    this.#session = new RequestFormSession(of, port, { runs: true, ...start });
    if (this.page) {
      await this.page.show(this.#session);
      return this.#session;
    }
    this.#session.opened();
    await this.send({ type: 'ready' });
    return this.#session;
  }

  /** Sends what the page would send. */
  async send(message: FromRequestForm | Readonly<Record<string, unknown>>): Promise<void> {
    await this.#session?.receive(message);
  }

  /** How arguments are entered, as the page shows it. */
  get edit(): EditView {
    const last = this.posted.findLast(({ type }) => type === 'show' || type === 'edit');
    assert.ok(last && 'edit' in last);
    return last.edit;
  }

  /** What is entered in the fields that are shown. */
  get entered(): Entered | undefined {
    const { edit } = this;
    return edit.kind === 'form' ? edit.entered : undefined;
  }

  get run(): RunView {
    const last = this.posted.findLast(({ type }) => type === 'show' || type === 'run');
    assert.ok(last && 'run' in last);
    return last.run;
  }

  /** The suggestions last posted. */
  get suggestions(): readonly string[] {
    const last = this.posted.findLast(({ type }) => type === 'suggestions');
    assert.ok(last?.type === 'suggestions');
    return last.values.map(({ value }) => value);
  }

  /** What the request that runs waits for, as it is shown; undefined while the server works. */
  get asked(): string | undefined {
    const last = this.posted.findLast(({ type }) => type === 'show' || type === 'run' || type === 'asked');
    if (last?.type === 'asked') {
      return last.asked && plain(last.asked.text);
    }
    const { run } = this;
    return run.kind === 'running' && run.asked ? plain(run.asked.text) : undefined;
  }

  /** What would be requested, as it is shown. */
  get preview(): string {
    const last = this.posted.findLast(({ type }) => type === 'preview');
    assert.ok(last?.type === 'preview');
    return last.text.map(({ text }) => text).join('');
  }

  /** What the editor would keep over a reload. */
  get kept(): KeptPage {
    const last = this.posted.findLast(({ type }) => type === 'keep');
    assert.ok(last?.type === 'keep');
    return last.page;
  }

  /** The problems last shown, each with its place. */
  get problems(): readonly string[] {
    const last = this.posted.findLast(({ type }) => type === 'problems' || type === 'textProblems');
    if (last?.type === 'textProblems') {
      return last.problems.map(
        ({ line, column, message }) => `${line}:${column} ${message.map(({ text }) => text).join('')}`,
      );
    }
    return last?.type === 'problems'
      ? last.problems.map(({ path, message }) => `${path.join('.')} ${message}`)
      : [];
  }

  /** The text of the result that is shown. */
  get result(): string {
    const { run } = this;
    assert.ok(run.kind === 'result', run.kind);
    return run.result.sections
      .map(({ title, text }) => `${title}: ${(text?.text ?? []).map((part) => part.text).join('')}`)
      .join('\n');
  }

  untilRun(kind: RunView['kind']): Promise<void> {
    return untilSeen(() => this.run.kind === kind, `the call is ${kind}`);
  }

  untilPosted(type: ToRequestForm['type']): Promise<void> {
    return untilSeen(() => this.posted.some((message) => message.type === type), `the page gets '${type}'`);
  }

  async close(): Promise<void> {
    this.#session?.dispose();
    this.gateBed.dispose();
    await (this.#servers ?? this.gateBed.hostBed).close();
  }
}
